import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolResult,
  ErrorCode,
  type Implementation,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { demand, may } from '#access/role-rules.js';
import type { Caller } from '#contract/caller.js';
import type { CommandPort } from '#contract/command-port.js';
import { HindsightError } from '#contract/errors.js';
import type { QueryPort } from '#contract/query-port.js';
import { type Tracer, traced } from '#telemetry/tracer.js';
import { handleResources } from './handle-resources.js';
import { instructions } from './instructions.js';
import type { McpLog } from './log.js';
import { handlePrompts } from './prompts/handle-prompts.js';
import type { Tool } from './tool.js';
import { readToolCall, type ToolCall } from './tool-call.js';
import { errorFields, errorResult } from './tool-error.js';
import { allTools } from './tools/all-tools.js';

export interface McpServerDeps {
  readonly commands: CommandPort;
  readonly queries: QueryPort;
  /** Who the connection is: bank, principal and roles. `agent` and `tool` are filled in per call. */
  readonly caller: Caller;
  /** The bank's readable name, as resources and instructions show it. */
  readonly bankName: string;
  readonly log: McpLog;
  /** The product's version, as clients show it. */
  readonly version: string;
  /** Where calls are traced to, if they are. */
  readonly tracer?: Tracer | undefined;
}

/** Characters of a client's claimed name that are kept. */
const longestAgent = 200;

/**
 * The MCP face of one connection: connect it to a transport. What the caller's roles lack is neither listed nor callable.
 * It never rejects a tool call: errors are `isError` results with code, sentence and hint.
 */
export function createMcpServer(deps: McpServerDeps): Server {
  const { caller, bankName, log, version } = deps;
  const info: Implementation = { name: 'hindsight-ledger', title: 'Hindsight Ledger', version };
  const reader = caller.roles.includes('reader');
  const server = new Server(info, {
    capabilities: { tools: {}, prompts: {}, ...(reader ? { resources: {}, completions: {} } : {}) },
    instructions: instructions(bankName, caller.roles),
    jsonSchemaValidator: nothingElicited,
  });
  const callerOf = (tool: string): Caller => ({ ...caller, agent: agentOf(server), tool });
  handleTools(server, deps, callerOf);
  handlePrompts(server, caller.roles);
  if (reader) handleResources(server, { queries: deps.queries, bankName, log, callerOf });
  server.onerror = (error) => log.debug({ error: error.name }, 'protocol error');
  return server;
}

/** The SDK would make one of its own, at the cost of loading ajv, for what clients answer to questions: none are asked. */
const nothingElicited: jsonSchemaValidator = {
  getValidator() {
    throw new Error('Nothing is elicited, so there is nothing to validate.');
  },
};

function handleTools(server: Server, deps: McpServerDeps, callerOf: (tool: string) => Caller): void {
  const { commands, queries, caller, bankName, log, tracer } = deps;
  const tools = allTools(commands, queries, bankName);
  const allowed = tools.filter(({ name }) => may(caller.roles, name));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: allowed.map((tool) => tool.listed()) }));
  const call = async ({ name, args, traceparent: parent }: ToolCall): Promise<CallToolResult> => {
    const tool = tools.find((each) => each.name === name);
    try {
      if (!tool) throw unknownTool(name, allowed);
      demand(caller.roles, tool.name);
      const options = { parent, kind: 'server', ids: { bank: caller.bank } } as const;
      return await traced(tracer, `tool ${tool.name}`, options, (traceparent) =>
        tool.run(args, { ...callerOf(tool.name), ...(traceparent === undefined ? {} : { traceparent }) }),
      );
    } catch (error) {
      return errorResult(errorFields(error, log, { tool: tool?.name ?? 'unknown' }));
    }
  };
  // Only the fallback sees a request as it came: a handler gets what the SDK's own schema leaves of it.
  server.fallbackRequestHandler = async ({ method, params }) => {
    if (method !== 'tools/call') throw new McpError(ErrorCode.MethodNotFound, 'Method not found');
    return call(readToolCall(params));
  };
}

function unknownTool(name: string, allowed: readonly Tool[]): HindsightError {
  const names = allowed.map((tool) => tool.name).join(', ');
  const there = names ? `the tools of this connection are ${names}` : 'this connection has none';
  return new HindsightError('invalid_input', `There is no tool ${JSON.stringify(name.slice(0, 100))}; ${there}.`);
}

function agentOf(server: Server): string | undefined {
  return server.getClientVersion()?.name.slice(0, longestAgent);
}
