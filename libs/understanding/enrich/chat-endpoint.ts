import { type Endpoint, endpointOf } from '../embeddings/openai/endpoint.js';

/** Where a model is asked; `headers` hold secrets. */
export interface ChatEndpoint {
  readonly endpoint: Endpoint;
  readonly completions: string;
}

/** @param url that of an API (`https://host/v1`) or of its completions (`https://host/v1/chat/completions`) */
export function chatEndpointOf(url: string, apiKey?: string): ChatEndpoint {
  const given = new URL(url);
  given.pathname = given.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  const endpoint = endpointOf(given.href, apiKey);
  const completions = new URL(endpoint.models);
  completions.pathname = completions.pathname.replace(/\/models$/, '/chat/completions');
  return { endpoint, completions: completions.href };
}
