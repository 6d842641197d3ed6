import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AnswerFrame, CallFrame } from './call.js';

/**
 * What is signed is the text that travels, never a re-serialisation of what was read of it. The purpose keeps a call from being taken
 * for an answer.
 */
function macOf(key: Uint8Array, purpose: string, text: string): Buffer {
  return createHmac('sha256', key).update(`hindsight-ledger/command/1\n${purpose}\n`).update(text, 'utf8').digest();
}

function isMac(key: Uint8Array, purpose: string, text: string, mac: string): boolean {
  const given = Buffer.from(mac, 'base64url');
  const right = macOf(key, purpose, text);
  return given.length === right.length && timingSafeEqual(given, right);
}

/** @param attempt 1, 2, …: each try of a call may arrive once */
export function signedCall(key: Uint8Array, call: string, attempt: number): CallFrame {
  return { call, attempt, mac: macOf(key, `call ${attempt}`, call).toString('base64url') };
}

export function isSignedCall(key: Uint8Array, { call, attempt, mac }: CallFrame): boolean {
  return isMac(key, `call ${attempt}`, call, mac);
}

export function signedAnswer(key: Uint8Array, answer: string): AnswerFrame {
  return { answer, mac: macOf(key, 'answer', answer).toString('base64url') };
}

export function isSignedAnswer(key: Uint8Array, { answer, mac }: AnswerFrame): boolean {
  return isMac(key, 'answer', answer, mac);
}
