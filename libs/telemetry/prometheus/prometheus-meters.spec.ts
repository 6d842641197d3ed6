import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { prometheusMeters } from './prometheus-meters.js';

const page = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');

/** Name, kind and labels, as docs/metrics.md has them. */
const documented = [...page.matchAll(/^\| `(hindsight_ledger_\w+)` \| (\w+) \|([^|]*)\|/gm)].map(
  ([, name, kind, labels]) => `${name} ${kind} ${[...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label).sort()}`,
);

/** One of everything. */
function measured() {
  const meters = prometheusMeters();
  meters.appended('MemoryRecorded', 3);
  meters.commanded('write', 'stored');
  meters.recalled('keyword', 0.004);
  meters.lookedUp('answer', 'hit');
  meters.becameVisible('memories', 0.1);
  meters.relaying(true);
  meters.relayed(5, '2026-03-01T00:00:00.500Z');
  meters.lagFrom(() => [{ projection: 'memories', lagEvents: 2, lagSeconds: 1.5, deadLetters: 1 }]);
  return meters;
}

describe('the metrics of a process', () => {
  it('are those that docs/metrics.md lists, with their kinds and labels', async () => {
    const text = await measured().read();
    const kinds = new Map([...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, kind]) => [name!, kind!]));
    const labels = new Map<string, Set<string>>();
    for (const [, sample, list = ''] of text.matchAll(
      /^(hindsight_ledger_\w+?)(?:_bucket|_sum|_count)?(?:\{([^}]*)\})? /gm,
    )) {
      const name = kinds.has(sample!) ? sample! : [...kinds.keys()].find((each) => sample!.startsWith(each))!;
      const known = labels.get(name) ?? new Set<string>();
      labels.set(name, known);
      for (const [, label] of list.matchAll(/(\w+)="/g)) if (label !== 'le') known.add(label!);
    }
    const registered = [...kinds].map(([name, kind]) => `${name} ${kind} ${[...(labels.get(name) ?? [])].sort()}`);
    expect(registered.sort()).toEqual([...documented].sort());
  });

  it('say what was measured', async () => {
    const text = await measured().read();
    for (const line of [
      'hindsight_ledger_appended_events_total{type="MemoryRecorded"} 3',
      'hindsight_ledger_relay_position_timestamp_seconds 1772323200.5',
      'hindsight_ledger_projection_lag_seconds{projection="memories"} 1.5',
      'hindsight_ledger_dead_letters{projection="memories"} 1',
      'hindsight_ledger_recall_seconds_bucket{le="0.005",leg="keyword"} 1',
    ])
      expect(text).toContain(line);
  });

  it('have labels of a bounded set, whatever comes', async () => {
    const meters = prometheusMeters();
    meters.appended('Quillfeather', 1);
    meters.commanded('write', 'Quillfeather');
    meters.commanded('write', 'keys_unreachable');
    const text = await meters.read();
    expect(text).not.toContain('Quillfeather');
    expect(text).toContain('hindsight_ledger_commands_total{command="write",outcome="other"} 1');
    expect(text).toContain('hindsight_ledger_commands_total{command="write",outcome="keys_unreachable"} 1');
  });

  it('are read with the last figures while the lag cannot be measured', async () => {
    const meters = measured();
    await meters.read();
    meters.lagFrom(() => {
      throw new Error('the views are away');
    });
    expect(await meters.read()).toContain('hindsight_ledger_projection_lag_events{projection="memories"} 2');
  });
});
