import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkHost, type HostPolicy } from './host-policy.js';
import { refuse } from './refuse.js';

export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Host and Origin before anything else, and the answers that an allowed web page's browser needs. */
export function hostCheck(policy: HostPolicy): Middleware {
  return (request, response, next) => {
    // Probes and scrapers name the server by its address; what they are told is no secret.
    if (request.url?.startsWith('/health/') || request.url === '/metrics' || passes(request, response, policy)) next();
  };
}

/** False when it answered. */
function passes(request: IncomingMessage, response: ServerResponse, policy: HostPolicy): boolean {
  const { host, origin } = request.headers;
  try {
    checkHost({ host, origin, port: request.socket.localPort }, policy);
  } catch (error) {
    refuse(response, error);
    return false;
  }
  if (origin === undefined) return true;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, Retry-After, WWW-Authenticate');
  response.setHeader('Vary', 'Origin');
  if (request.method !== 'OPTIONS') return true;
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
  response.setHeader(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Mcp-Session-Id, Mcp-Protocol-Version, Last-Event-ID',
  );
  response.writeHead(204).end();
  return false;
}
