import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CompleteRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '#contract/caller.js';
import type { QueryPort } from '#contract/query-port.js';
import type { McpLog } from './log.js';
import { parseResourceUri, type ResourceRef, resourceTemplates, statsUri } from './resource-uri.js';
import { errorFields } from './tool-error.js';

const mimeType = 'application/json';
/** MCP's code for a resource that is not there; the SDK has no name for it. */
const resourceNotFound = -32002;

export interface ResourceDeps {
  readonly queries: QueryPort;
  readonly bankName: string;
  readonly log: McpLog;
  /** The caller as of now: the client's name comes with its initialize. */
  callerOf(tool: string): Caller;
}

/** `memory://{bank}/{id}`, its versions, and the bank's stats, all as JSON. For readers only. */
export function handleResources(server: Server, { queries, bankName, log, callerOf }: ResourceDeps): void {
  const here = `The bank of this connection is ${encodeURIComponent(bankName)}.`;
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [
      {
        uri: statsUri(bankName),
        name: 'stats',
        title: 'State of the memory',
        description: 'Counts by kind and status, recall latency, sizes.',
        mimeType,
      },
    ],
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: resourceTemplates.memory,
        name: 'memory',
        title: 'A memory',
        description: `A memory as it is now. ${here}`,
        mimeType,
      },
      {
        uriTemplate: resourceTemplates.versions,
        name: 'versions',
        title: 'The versions of a memory',
        description: `Every version with both times, who wrote it and why. ${here}`,
        mimeType,
      },
    ],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    try {
      const ref = parseResourceUri(uri, bankName);
      const value = await read(ref, queries, bankName, callerOf('resources/read'));
      return { contents: [{ uri, mimeType, text: JSON.stringify(value, null, 2) }] };
    } catch (error) {
      const fields = errorFields(error, log, { method: 'resources/read' });
      throw new McpError(jsonRpcCode(fields.code), `${fields.code}: ${fields.message} ${fields.hint}`, fields);
    }
  });
  server.setRequestHandler(CompleteRequestSchema, ({ params: { ref, argument } }) => {
    const known = ref.type === 'ref/resource' && argument.name === 'bank' ? [encodeURIComponent(bankName)] : [];
    return { completion: { values: known.filter((name) => name.startsWith(argument.value)), hasMore: false } };
  });
}

async function read(ref: ResourceRef, queries: QueryPort, bankName: string, caller: Caller): Promise<object> {
  switch (ref.kind) {
    case 'memory':
      return queries.item(ref.id, caller);
    case 'versions':
      return queries.history({ memory_id: ref.id }, caller);
    case 'stats':
      return { ...(await queries.stats(caller)), bank: bankName };
  }
}

function jsonRpcCode(code: string): number {
  if (code === 'internal') return ErrorCode.InternalError;
  return code === 'memory_not_found' ? resourceNotFound : ErrorCode.InvalidParams;
}
