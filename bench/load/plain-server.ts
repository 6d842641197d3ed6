import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod';

/**
 * The baseline: the least that a durable memory over MCP can be. One table, one fsync a write, FTS5 for search; no hashes, no
 * sealing, no history, no sharing.
 */
const db = new DatabaseSync(process.argv[2] ?? ':memory:');
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 15000');
db.exec('CREATE VIRTUAL TABLE IF NOT EXISTS memory USING fts5(content)');
const insert = db.prepare('INSERT INTO memory(content) VALUES (?)');
const find = db.prepare('SELECT rowid, content FROM memory WHERE memory MATCH ? ORDER BY bm25(memory) LIMIT 5');

const server = new McpServer({ name: 'plain', version: '1' });
server.registerTool('memory_write', { inputSchema: { content: z.string() } }, ({ content }) => {
  const { lastInsertRowid } = insert.run(content);
  return {
    content: [{ type: 'text' as const, text: String(lastInsertRowid) }],
    structuredContent: { id: Number(lastInsertRowid) },
  };
});
server.registerTool('memory_search', { inputSchema: { query: z.string() } }, ({ query }) => {
  const terms = query.split(/\s+/).map((term) => `"${term.replaceAll('"', '')}"`);
  const items = find.all(terms.join(' OR '));
  return { content: [{ type: 'text' as const, text: JSON.stringify(items) }], structuredContent: { items } };
});
await server.connect(new StdioServerTransport());
// The driver closes a connection that nobody holds any more, though its statements are in use.
process.on('exit', () => db.close());
