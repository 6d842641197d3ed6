import type { Caller } from '#contract/caller.js';
import type { CommandPort } from '#contract/command-port.js';
import { isHindsightError } from '#contract/errors.js';
import type { Meters } from './meters.js';
import { type SpanOptions, type Tracer, traced } from './tracer.js';

interface Observers {
  readonly meters?: Meters | undefined;
  readonly tracer?: Tracer | undefined;
  /** `client` where commands go to another process, `server` where they are carried out. */
  readonly kind: NonNullable<SpanOptions['kind']>;
}

/** The same commands, counted by their outcome, and traced. */
export function observedCommands<C extends CommandPort>(commands: C, { meters, tracer, kind }: Observers): C {
  async function observed<T>(name: string, caller: Caller, run: (caller: Caller) => Promise<T>): Promise<T> {
    const options = { parent: caller.traceparent, kind, ids: { bank: caller.bank } };
    try {
      const answer = await traced(tracer, `command ${name}`, options, (traceparent) =>
        run(traceparent === undefined ? caller : { ...caller, traceparent }),
      );
      meters?.commanded(name, statusOf(answer));
      return answer;
    } catch (error) {
      meters?.commanded(name, isHindsightError(error) ? error.code : 'internal');
      throw error;
    }
  }
  return {
    ...commands,
    write: (input, caller) => observed('write', caller, (as) => commands.write(input, as)),
    importItems: (items, caller) => observed('import', caller, (as) => commands.importItems(items, as)),
    forget: (input, caller) => observed('forget', caller, (as) => commands.forget(input, as)),
    restore: (input, caller) => observed('restore', caller, (as) => commands.restore(input, as)),
    review: (input, caller) => observed('review', caller, (as) => commands.review(input, as)),
    rate: (input, caller) => observed('feedback', caller, (as) => commands.rate(input, as)),
    enrich: (input, caller) => observed('enrich', caller, (as) => commands.enrich(input, as)),
    erase: (input, caller) => observed('erase', caller, (as) => commands.erase(input, as)),
    eraseBank: (input, caller) => observed('erase_bank', caller, (as) => commands.eraseBank(input, as)),
    alias: (input, caller) => observed('alias', caller, (as) => commands.alias(input, as)),
    recordRecall: (recall, caller, durable) =>
      observed('record_recall', caller, (as) => commands.recordRecall(recall, as, durable)),
    recordAudit: (read, caller) => observed('record_audit', caller, (as) => commands.recordAudit(read, as)),
  };
}

function statusOf(answer: unknown): string {
  const status = (answer as { status?: unknown } | undefined)?.status;
  return typeof status === 'string' ? status : 'ok';
}
