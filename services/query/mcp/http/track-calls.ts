import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { InFlight } from './in-flight.js';

/** Counts the calls of a transport whose answers go another way than they came. Call it when a server is connected. */
export function trackCalls(transport: Transport, inFlight: InFlight): void {
  const open = new Map<RequestId, () => void>();
  const settle = (id: RequestId) => {
    open.get(id)?.();
    open.delete(id);
  };
  const { onmessage, onclose } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (message, extra) => {
    if ('method' in message && 'id' in message) open.set(message.id, inFlight.begin());
    if ('method' in message && message.method === 'notifications/cancelled')
      settle(message.params?.requestId as RequestId);
    onmessage?.(message, extra);
  };
  transport.send = async (message, options) => {
    await send(message, options);
    if (!('method' in message) && message.id !== undefined) settle(message.id);
  };
  transport.onclose = () => {
    for (const id of [...open.keys()]) settle(id);
    onclose?.();
  };
}
