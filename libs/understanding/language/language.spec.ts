import { test as prop } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languageOf } from './language.js';

describe('languageOf', () => {
  it.each([
    ['The queue is drained every night.', 'en'],
    ['Das Straßenfest fällt aus', 'en'],
    ['队列每天晚上清空。', 'zh'],
    ['我们昨天把服务迁移到了Kubernetes，现在一切都很稳定', 'zh'],
    ['把 MySQL 换成 PostgreSQL', 'mixed'],
    ['the 队列 is full of 消息', 'mixed'],
    ['東京タワーはきれいです', 'other'],
    ['서울은 큰 도시입니다', 'other'],
    ['Москва', 'other'],
    ['12345 !?', 'other'],
    ['', 'other'],
  ])('%s is %s', (text, language) => {
    expect(languageOf(text)).toBe(language);
  });

  it('does not mind width', () => {
    expect(languageOf('Ｔｈｅ ｑｕｅｕｅ')).toBe('en');
  });

  prop.prop([fc.string({ unit: 'binary', maxLength: 900 }), fc.constantFrom(' ', '!', '1')])(
    'is not swayed by marks and digits',
    (text, mark) => {
      expect(languageOf(text + mark)).toBe(languageOf(text));
    },
  );
});
