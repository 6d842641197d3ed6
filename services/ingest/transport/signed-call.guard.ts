import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { RpcException } from '@nestjs/microservices';
import type { CommandCall } from '#contract/command-transport/call.js';
import { type Gate, Refused } from './admit-call.js';
import type { TransportLog } from './perform-call.js';

export const GATE = Symbol('Gate');
export const TRANSPORT_LOG = Symbol('TransportLog');

/** A frame that came through the guard, which alone sets `admitted`. */
export interface AdmittedFrame {
  admitted: CommandCall;
}

/** Lets pass what another service of this ledger signed; the rest is refused, and logged by its id. */
@Injectable()
export class SignedCallGuard implements CanActivate {
  constructor(
    @Inject(GATE) private readonly gate: Gate,
    @Inject(TRANSPORT_LOG) private readonly log: TransportLog,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const frame: unknown = context.switchToRpc().getData();
    try {
      const admitted = await this.gate(frame);
      (frame as AdmittedFrame).admitted = admitted;
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.log.warn({ call: error.callId, why: error.why }, 'a call was refused');
      throw new RpcException(error.told);
    }
  }
}
