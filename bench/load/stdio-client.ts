import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Waiting {
  readonly resolve: (result: Record<string, unknown>) => void;
  readonly reject: (error: Error) => void;
}

/** A stdio MCP connection that costs the load generator next to nothing: JSON-RPC lines, no schema checks. */
export interface LoadClient {
  readonly pid: number;
  /** Milliseconds from the start of the process to its first answer. */
  readonly startedMs: number;
  call(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Resident memory of the server in MB (Linux), now and at its peak. */
  memory(): { nowMb: number; peakMb: number };
  close(): Promise<void>;
}

/** @throws Error when the server ends before it answered */
export async function connect(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<LoadClient> {
  const began = performance.now();
  const child: ChildProcessWithoutNullStreams = spawn(command, args, {
    env: { ...process.env, ...env } as NodeJS.ProcessEnv,
  });
  const waiting = new Map<number, Waiting>();
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4000);
  });
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      for (const { reject } of waiting.values()) reject(new Error(`the server ended: ${errors}`));
      resolve();
    });
  });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as {
        id?: number;
        result?: Record<string, unknown>;
        error?: { message: string };
      };
      const asked = waiting.get(message.id ?? -1);
      if (!asked) continue;
      waiting.delete(message.id ?? -1);
      if (message.error) asked.reject(new Error(message.error.message));
      else asked.resolve(message.result ?? {});
    }
  });
  let next = 0;
  const request = (method: string, params: Record<string, unknown>) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  const startedMs = performance.now() - began;
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    pid: child.pid ?? 0,
    startedMs,
    async call(tool, args_) {
      const result = await request('tools/call', { name: tool, arguments: args_ });
      if (result.isError) throw new Error(JSON.stringify(result.content));
      return (result.structuredContent ?? {}) as Record<string, unknown>;
    },
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
      return { nowMb: of('VmRSS'), peakMb: of('VmHWM') };
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
