import { Refusal } from './refusal.js';

export interface Asked {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** The port that the request came in on. */
  readonly port: number | undefined;
}

export interface HostPolicy {
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Keeps web pages out: a page that rebinds its name to 127.0.0.1 still sends its own name as Host, and any page sends its
 * Origin.
 * @throws Refusal 403
 */
export function checkHost({ host, origin, port }: Asked, policy: HostPolicy): void {
  if (!allowsHost(host, port, policy.allowedHosts))
    throw refusal(`The Host header is ${shown(host)}, and this server answers to ${answersTo(port, policy)}.`, 'host');
  if (origin !== undefined && !allowsOrigin(origin, host, policy.allowedOrigins))
    throw refusal(`The Origin header is ${shown(origin)}, which may not call this server.`, 'origin');
}

function allowsHost(host: string | undefined, port: number | undefined, allowed: readonly string[]): boolean {
  if (!host) return false;
  const asked = host.toLowerCase();
  const local = loopback.map((name) => `${name}:${port}`);
  if (local.includes(asked) || (port === 80 && loopback.includes(asked))) return true;
  const name = asked.replace(/:\d+$/, '');
  return allowed.some((entry) => [asked, name].includes(entry.toLowerCase()));
}

function allowsOrigin(origin: string, host: string | undefined, allowed: readonly string[]): boolean {
  return origin === `http://${host}` || origin === `https://${host}` || allowed.includes(origin);
}

function answersTo(port: number | undefined, { allowedHosts }: HostPolicy): string {
  return [...loopback.map((name) => `${name}:${port}`), ...allowedHosts].join(', ');
}

function refusal(sentence: string, what: 'host' | 'origin'): Refusal {
  const hint =
    what === 'host' ? 'Use one of these, or add the name to the allowed hosts.' : 'Add it to the allowed origins.';
  return new Refusal(403, 'forbidden', sentence, { hint });
}

function shown(header: string | undefined): string {
  return header === undefined ? 'missing' : JSON.stringify(header.slice(0, 200));
}
