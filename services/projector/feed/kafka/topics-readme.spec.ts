import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { feedAccess, feedTopics } from '#infra/kafka/topics.js';

const readme = readFileSync(new URL('../../../../infra/kafka/README.md', import.meta.url), 'utf8');

describe('infra/kafka/README.md', () => {
  it.each(feedTopics('<ledger>', 8))('tells for how long $name keeps what it holds', ({ name, config }) => {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    const days = Number(config['retention.ms']) / 86_400_000;
    expect(row).toContain(days > 1 ? `| ${days} days |` : '| – |');
  });

  it.each(feedAccess('<ledger>'))(
    'tells what $role may do on the $resource $name',
    ({ role, name, operations, isPrefix, resource }) => {
      const kind = resource === 'group' ? 'groups' : resource === 'topic' ? 'topic' : 'transactional id';
      expect(readme).toContain(
        `| ${role} | ${operations.join(', ')} | ${kind}${isPrefix ? ' with the prefix' : ''} \`${name}\` |`,
      );
    },
  );
});
