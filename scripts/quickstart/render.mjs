const coloured = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
const styled = (code, text) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text);
const width = Math.min(process.stdout.columns || 92, 100);

export const bold = (text) => styled(1, text);
export const dim = (text) => styled(2, text);
export const heading = (title) => `\n${bold(title)} ${dim('─'.repeat(Math.max(width - title.length - 1, 3)))}`;

/** Breaks long lines at spaces. */
export function wrapped(text, indent = '') {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > width - indent.length && lines.at(-1)) lines.push('');
    lines[lines.length - 1] += lines.at(-1) ? ` ${word}` : word;
  }
  return lines.map((line) => indent + line).join('\n');
}

/** In the time of the sample's team. */
function day(iso) {
  const parts = { timeZone: 'Asia/Shanghai', day: 'numeric', month: 'short', year: 'numeric' };
  return new Date(iso).toLocaleDateString('en-GB', parts);
}

const holds = (from, to) => (to ? `from ${day(from)} to ${day(to)}` : `since ${day(from)}`);

export function renderAnswer(tool, answer) {
  return tool === 'memory_history' ? renderHistory(answer) : renderItems(answer);
}

function renderItems({ items, notes = [] }) {
  const told = notes.map((note) => dim(wrapped(`Note: ${note}`, '  ')));
  if (items.length === 0) return [`  ${bold('Nothing relevant is remembered.')}`, ...told].join('\n');
  return [...items.map(renderItem), ...told].join('\n');
}

function renderItem({ content, kind, key, valid_from, valid_to, occurred_at, version, score }) {
  const when = kind === 'semantic' ? `true ${holds(valid_from, valid_to)}` : day(occurred_at ?? valid_from);
  const facts = [when, key && `key ${key}`, version > 1 && `version ${version}`, `score ${score.toFixed(2)}`];
  return `${bold(wrapped(textOf(content), '  '))}\n${dim(`  ${facts.filter(Boolean).join(' · ')}`)}`;
}

function renderHistory({ entries }) {
  return entries
    .map(({ event, version, content, valid }) => {
      const stretches = (valid ?? []).map(({ from, to }) => holds(from, to)).join(' and ');
      return `  ${bold(`${event}, version ${version}`)} ${dim(`true ${stretches || 'at no time any more'}`)}\n${wrapped(textOf(content), '    ')}`;
    })
    .join('\n');
}

/** An experience in the order in which it is told; other members stand before it as they are. */
const told = ['trigger', 'action', 'outcome'];

function textOf(content) {
  if (typeof content === 'string') return content;
  return Object.entries(content)
    .sort(([a], [b]) => told.indexOf(a) - told.indexOf(b))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ');
}
