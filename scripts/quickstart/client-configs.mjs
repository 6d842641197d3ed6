/** What to paste into each client, in the form that its own documentation gives. */
export function clientConfigs() {
  const server = { command: 'npx', args: ['-y', 'hindsight-ledger'] };
  // The arguments on one line, as people write them.
  const json = (value) =>
    JSON.stringify(value, null, 2).replace(/\[\s+("[^\]]*")\s+\]/g, (_, list) => `[${list.replace(/\s+/g, ' ')}]`);
  return [
    {
      client: 'Claude Code',
      where: 'in a terminal',
      text: 'claude mcp add hindsight-ledger -- npx -y hindsight-ledger',
    },
    { client: 'Cursor', where: '.cursor/mcp.json', text: json({ mcpServers: { 'hindsight-ledger': server } }) },
    {
      client: 'VS Code',
      where: '.vscode/mcp.json',
      text: json({ servers: { 'hindsight-ledger': { type: 'stdio', ...server } } }),
    },
    {
      client: 'Codex',
      where: '~/.codex/config.toml',
      text: '[mcp_servers.hindsight-ledger]\ncommand = "npx"\nargs = ["-y", "hindsight-ledger"]',
    },
  ];
}
