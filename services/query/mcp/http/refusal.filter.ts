import type { ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import { isHindsightError } from '#contract/errors.js';
import { errorFields } from '../tool-error.js';
import { HTTP_DEPS, type HttpDeps } from './http-deps.js';
import { Refusal } from './refusal.js';
import { refuse } from './refuse.js';

/** Every error that reaches HTTP, as a JSON-RPC error with a status. */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  constructor(@Inject(HTTP_DEPS) private readonly deps: HttpDeps) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ServerResponse>();
    const refusal = this.refusalOf(error);
    // Its sentence may quote what was sent.
    this.deps.log.debug({ status: refusal.status, code: refusal.code }, 'refused a request');
    if (response.headersSent) response.destroy();
    else refuse(response, refusal);
  }

  private refusalOf(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    if (error instanceof HttpException && error.getStatus() === 404)
      return new Refusal(404, 'invalid_input', 'There is nothing at this address.', {
        hint: 'Use POST /mcp (Streamable HTTP), GET /sse with POST /messages (older clients), /health/live or /health/ready.',
      });
    if (error instanceof HttpException) return new Refusal(error.getStatus(), 'invalid_input', error.message);
    const { code, message, hint } = errorFields(error, this.deps.log, { face: 'http' });
    return new Refusal(isAway(error) ? 503 : 500, code, message, { hint, rpcCode: -32603 });
  }
}

/** What is needed to answer is not there now. */
function isAway(error: unknown): boolean {
  return (['unreachable', 'keys_unreachable', 'views_missing'] as const).some((code) => isHindsightError(error, code));
}
