import { randomUUID } from 'node:crypto';
import type { AliasInput } from '#contract/alias.js';
import type { Caller } from '#contract/caller.js';
import type { CommandPort } from '#contract/command-port.js';
import type { CommandAnswer, CommandCall } from '#contract/command-transport/call.js';
import type { EnrichInput } from '#contract/enrich.js';
import { isHindsightError } from '#contract/errors.js';
import type { FeedbackInput } from '#contract/feedback.js';
import type { EraseBankInput, EraseInput, ForgetInput, RestoreInput } from '#contract/forget.js';
import type { ReviewInput } from '#contract/review.js';
import type { WriteInput, WriteItem } from '#contract/write.js';

/** Where errors are told that nobody is meant to read; ids, names and places only. */
export interface TransportLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Does what a call asks, and says what came of it. Errors for the caller are answers. */
export async function performCall(
  commands: CommandPort,
  { id, asked }: CommandCall,
  log: TransportLog,
): Promise<CommandAnswer> {
  try {
    return { id, value: await performed(commands, id, asked) };
  } catch (error) {
    if (isHindsightError(error)) {
      const { code, message, details } = error;
      return { id, error: { code, message, details: { ...details } } };
    }
    // Its message may quote content.
    const errorId = randomUUID();
    log.error({ call: id, method: asked.method, errorId, ...traceOf(error) }, 'unexpected error');
    const message = `Something went wrong that should not have; the ingest service logged it as ${errorId}.`;
    return { id, error: { code: 'internal', message, details: { error_id: errorId } } };
  }
}

async function performed(commands: CommandPort, callId: string, asked: CommandCall['asked']): Promise<unknown> {
  const by = (caller: Caller): Caller => ({ ...caller, callId });
  switch (asked.method) {
    case 'write':
      return commands.write(asked.input as WriteInput, by(asked.caller));
    case 'importItems':
      return commands.importItems(asked.input as { item: WriteItem; from: (typeof asked.input)[0]['from'] }[], {
        ...asked.caller,
      });
    case 'forget':
      return commands.forget(asked.input as ForgetInput, by(asked.caller));
    case 'restore':
      return commands.restore(asked.input as RestoreInput, by(asked.caller));
    case 'review':
      return commands.review(asked.input as ReviewInput, by(asked.caller));
    case 'rate':
      return commands.rate(asked.input as FeedbackInput, by(asked.caller));
    case 'enrich':
      return commands.enrich(asked.input as EnrichInput, by(asked.caller));
    case 'erase':
      return commands.erase(asked.input as EraseInput, by(asked.caller));
    case 'eraseBank':
      return commands.eraseBank(asked.input as EraseBankInput, by(asked.caller));
    case 'alias':
      return commands.alias(asked.input as AliasInput, by(asked.caller));
    case 'recordRecalls':
      await Promise.all(
        asked.input.recalls.map(({ recall, caller }) => commands.recordRecall(recall, caller, asked.input.durable)),
      );
      return null;
    case 'recordAudit':
      await commands.recordAudit(asked.input, asked.caller);
      return null;
    case 'bankNamed':
      return commands.bankNamed(asked.input.name, asked.input.ifMissing);
    case 'ping':
      return null;
  }
}

function traceOf(error: unknown): object {
  if (!(error instanceof Error)) return { thrown: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error: error.name, at: frames.slice(0, 8).map((line) => line.trim()) };
}
