import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { type Access, HTTP_DEPS, type HttpDeps } from './http-deps.js';
import { Refusal } from './refusal.js';

export type Authenticated = IncomingMessage & { access: Access };

/** Lets a request pass with a bearer token that is known, and notes what it stands for. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(@Inject(HTTP_DEPS) private readonly deps: HttpDeps) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<IncomingMessage & { access?: Access }>();
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer === undefined) throw unauthenticated('This request carries no bearer token.');
    request.access = await this.deps.authenticate(bearer);
    if (!request.access) throw unauthenticated('This token is not known, or was revoked.', 'invalid_token');
    return true;
  }
}

function unauthenticated(sentence: string, error?: string): Refusal {
  const challenge = `Bearer realm="hindsight-ledger"${error ? `, error="${error}"` : ''}`;
  return new Refusal(401, 'unauthenticated', sentence, {
    headers: { 'WWW-Authenticate': challenge },
    hint: 'Make a token with `hindsight-ledger token create NAME` and send it as `Authorization: Bearer TOKEN`.',
  });
}
