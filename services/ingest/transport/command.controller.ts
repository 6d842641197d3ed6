import { Controller, Inject, UseGuards } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { CommandPort } from '#contract/command-port.js';
import { type AnswerFrame, commandPattern, toleratedSkew } from '#contract/command-transport/call.js';
import { signedAnswer } from '#contract/command-transport/sign.js';
import { COMMANDS } from '../ingest.module.js';
import type { AnsweredCalls } from './answered-calls.js';
import { performCall, type TransportLog } from './perform-call.js';
import { type AdmittedFrame, SignedCallGuard, TRANSPORT_LOG } from './signed-call.guard.js';

export const ANSWERED_CALLS = Symbol('AnsweredCalls');
export const SERVICE_KEY = Symbol('service key');

/** Commands of the query services. */
@Controller()
export class CommandController {
  constructor(
    @Inject(COMMANDS) private readonly commands: CommandPort,
    @Inject(ANSWERED_CALLS) private readonly answered: AnsweredCalls,
    @Inject(SERVICE_KEY) private readonly key: () => Promise<Uint8Array>,
    @Inject(TRANSPORT_LOG) private readonly log: TransportLog,
  ) {}

  @MessagePattern(commandPattern)
  @UseGuards(SignedCallGuard)
  async answer(@Payload() { admitted: call }: AdmittedFrame): Promise<AnswerFrame> {
    const text = await this.answered.once(call.id, call.deadline + toleratedSkew, async () => {
      const answer = await performCall(this.commands, call, this.log);
      return { text: JSON.stringify(answer), keep: answer.error === undefined };
    });
    return signedAnswer(await this.key(), text);
  }
}
