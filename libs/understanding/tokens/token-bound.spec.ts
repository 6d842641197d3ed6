import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { tokenBound } from './token-bound.js';

/** Texts, and what o200k makes of each: counted by gpt-tokenizer 4. */
const counted: readonly (readonly [text: string, tokens: number])[] = [
  ['Deploys go out on Tuesdays, since the review meeting moved to Monday afternoon.', 16],
  ["She's allergic to peanuts and shrimp; tell the restaurant before you order anything for the team dinner.", 19],
  ['On two shared cores: p50 .52 / .66 / 1.88 ms, p99 4.1 / 4.8 / 7.9 ms, and 1,350 writes a second in bursts.', 48],
  ['Agreed!', 3],
  ['上周三我们把测试环境的数据库从MySQL 8.0迁移到了PostgreSQL 16，停机时间比预计的长了二十分钟。', 37],
  ['王芳说客户希望在年底之前看到第一版报告。', 13],
  ['有南锣鼓巷，恭王府。', 13],
  [
    'export function fitBudget<T>(items: readonly T[], budget?: number): T[] {\n  return items.filter((item) => item !== undefined && budget! > 0);\n}',
    37,
  ],
  ['{"staging":{"database":"PostgreSQL 16","since":"2026-10-15T00:00:00Z","replicas":2}}', 33],
  ['019a0000-0000-7000-8000-0000000000bb', 19],
  ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 43],
  ['xkqzjwvbpmtrlghdnsfycaueoixkqzjwvbpmtrlghdnsfy', 25],
  ['Мы перенесли базу данных на новый сервер в прошлую пятницу.', 15],
  ['データベースは先週の金曜日に新しいサーバーへ移行されました。', 22],
  ['데이터베이스는 지난주 금요일에 새 서버로 이전되었습니다.', 16],
  ['👍🎉🚀 ship it 👩‍👩‍👧', 15],
  ['𠀀𠀁㐀㐁龘靐', 16],
  ['/usr/local/share/hindsight-ledger/bin/main.js --home=/tmp/x -v', 17],
  ['', 0],
];

describe('the bound of tokens', () => {
  it.each(counted)('of %j is no less than %i', (text, tokens) => {
    expect(tokenBound(text)).toBeGreaterThanOrEqual(tokens);
  });
  it('of English, Chinese and code is at most half as much again as there are', () => {
    const ordinary = counted.filter(([text, tokens]) => tokens > 12 && /^[\p{Script=Han}\p{P}A-Za-z {]/u.test(text));
    const sum = (of: (each: (typeof counted)[number]) => number) => ordinary.reduce((all, each) => all + of(each), 0);
    expect(sum(([text]) => tokenBound(text))).toBeLessThan(1.5 * sum(([, tokens]) => tokens));
  });
  test.prop([fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })])(
    'grows with the text, and takes any text',
    (one, other) => {
      expect(tokenBound(`${one}\n${other}`)).toBeGreaterThanOrEqual(tokenBound(one));
      expect(Number.isInteger(tokenBound(one))).toBe(true);
    },
  );
  it('takes a text of any length in its stride', () => {
    const began = performance.now();
    expect(tokenBound('数据库迁移'.repeat(4_000))).toBeGreaterThan(19_000);
    expect(tokenBound('a'.repeat(20_000))).toBeGreaterThan(10_000);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
