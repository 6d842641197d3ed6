import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/** A handler's error reaches the feed as it was thrown; Nest's own filter logs it and hands on a sentence of its own. */
@Catch()
export class FeedFailureFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
