import { withoutPassword } from '#config/shown-value.js';

/** Where embeddings are asked for, and with what; `headers` hold secrets. */
export interface Endpoint {
  readonly embeddings: string;
  readonly models: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For people and logs. */
  readonly name: string;
  /** What the URL says without a secret: no user, no password, no query. */
  readonly identity: string;
  /** Takes whatever is secret out of a sentence. */
  masked(sentence: string): string;
}

/** @param url that of an API (`https://host/v1`) or of its embeddings (`https://host/v1/embeddings`); user and password become basic access */
export function endpointOf(url: string, apiKey?: string): Endpoint {
  const parsed = new URL(url);
  const { username, password } = parsed;
  // fetch refuses addresses with a password.
  parsed.username = '';
  parsed.password = '';
  parsed.hash = '';
  const base = parsed.pathname.replace(/\/+$/, '').replace(/\/embeddings$/, '');
  const at = (path: string) => {
    const one = new URL(parsed);
    one.pathname = `${base}/${path}`;
    return one.href;
  };
  const basic = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const secrets = [apiKey, decodeURIComponent(password), ...parsed.searchParams.values()].filter(
    (each): each is string => each !== undefined && each.length > 3,
  );
  return {
    embeddings: at('embeddings'),
    models: at('models'),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(username || password ? { authorization: `Basic ${Buffer.from(basic).toString('base64')}` } : {}),
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    name: parsed.host,
    identity: `${parsed.protocol}//${parsed.host}${base}`,
    masked: (sentence) => secrets.reduce((text, secret) => text.replaceAll(secret, '***'), withoutPassword(sentence)),
  };
}
