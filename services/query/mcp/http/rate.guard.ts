import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { RateLimit } from '#access/rate-limit.js';
import { HTTP_DEPS, type HttpDeps } from './http-deps.js';
import { Refusal } from './refusal.js';
import type { Authenticated } from './token.guard.js';

/** Counts each POST of a token as a call, before its body is read. Goes behind the TokenGuard. */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(@Inject(HTTP_DEPS) private readonly deps: HttpDeps) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<IncomingMessage & Authenticated>();
    if (request.method === 'POST') await demandCalls(this.deps.rateLimit, request.access.tokenId, 1);
    return true;
  }
}

/** @throws Refusal 429 when a token has made its calls, saying when to come again */
export async function demandCalls(limit: RateLimit | undefined, tokenId: string, calls: number): Promise<void> {
  const taken = await limit?.take(tokenId, calls);
  if (!taken || taken.allowed) return;
  const seconds = Math.max(1, Math.ceil(taken.retryAfterMs / 1000));
  throw new Refusal(429, 'rate_limited', 'This token has made as many calls as it may make in a minute.', {
    hint: `Call again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  });
}
