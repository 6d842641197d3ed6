import type { ServerResponse } from 'node:http';
import { Refusal } from './refusal.js';

/** Writes a refusal; anything else is thrown on. */
export function refuse(response: ServerResponse, error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  response.writeHead(error.status, { 'Content-Type': 'application/json', ...error.options.headers });
  response.end(JSON.stringify(error.body));
}
