import { seeded } from '../load/random.js';

const english = {
  who: [
    'Aino',
    'Bruno',
    'Chiara',
    'Dmitri',
    'Esther',
    'Fatou',
    'Goran',
    'Hye-jin',
    'Ibrahim',
    'Joana',
    'Kofi',
    'Lucía',
  ],
  what: ['the lawn mower', 'the spare tyre', 'the printer', 'the sales report', 'the rice cooker', 'the test server'],
  also: ['the fishing rod', 'the password list', 'the violin', 'the delivery van', 'the build cache', 'the tax form'],
  where: [
    'the garage',
    'the second floor',
    'the branch in Turku',
    'the cellar',
    'the old office',
    'the shop by the river',
  ],
  did: ['repaired', 'sold', 'lent', 'painted', 'measured', 'returned', 'forgot', 'cleaned', 'ordered', 'photographed'],
  when: ['on Monday', 'last spring', 'before lunch', 'after the holidays', 'in March', 'at the weekend', 'yesterday'],
  why: ['it was late', 'the lid was broken', 'nobody had asked', 'it rained', 'the price went up', 'of the noise'],
};
const chinese = {
  who: ['阿强', '小敏', '老孙', '佳佳', '国栋', '美玲', '志远', '春燕', '建军', '文静'],
  what: ['割草机', '备胎', '打印机', '销售报表', '电饭锅', '测试服务器', '钓鱼竿', '旧沙发', '小提琴', '送货车'],
  where: ['车库', '二楼', '分店', '地下室', '旧办公室', '河边的店里', '仓库', '会议室'],
  did: ['修好了', '卖掉了', '借走了', '量了一遍', '退回去了', '忘了带', '擦干净了', '订好了'],
  when: ['周一', '去年春天', '午饭前', '节后', '三月份', '周末', '昨天'],
  why: ['天太晚了', '盖子坏了', '没人问起', '下雨了', '涨价了', '太吵了'],
};

/**
 * Memories that have nothing to do with any set, in ordinary words that questions use as well: one in four in Chinese, as it may be in
 * a bank of both; the same for the same seed, each with a number of its own.
 */
export function unrelated(seed: number): () => string {
  const random = seeded(seed);
  const one = (among: readonly string[]) => among[Math.floor(random() * among.length)]!;
  let number = 0;
  return () => {
    number++;
    const shape = Math.floor(random() * 3);
    if (random() < 0.25) {
      const { who, what, where, did, when, why } = chinese;
      if (shape === 0) return `${one(who)}${one(when)}把${one(where)}的${one(what)}${one(did)}，单号${number}。`;
      if (shape === 1) return `${one(what)}放在${one(where)}，编号${number}，${one(who)}说${one(why)}。`;
      return `因为${one(why)}，${one(who)}没有去${one(where)}，${one(what)}改到第${number}号。`;
    }
    const { who, what, also, where, did, when, why } = english;
    if (shape === 0) return `${one(who)} ${one(did)} ${one(what)} in ${one(where)} ${one(when)}, slip ${number}.`;
    if (shape === 1) return `${one(also)} and ${one(what)} of ${one(who)} are in ${one(where)}, shelf ${number}.`;
    return `Because ${one(why)}, ${one(who)} ${one(did)} ${one(also)} only ${one(when)}; note ${number}.`;
  };
}

/** Puts so many others between all that is there, evenly, so that neither is older than the other; the order of each stays. */
export function mixedIn<T>(own: readonly T[], others: number, make: (number: number, beside: T) => T): T[] {
  if (own.length === 0) return [];
  const mixed: T[] = [];
  let made = 0;
  own.forEach((each, at) => {
    mixed.push(each);
    const due = Math.floor(((at + 1) * others) / own.length);
    while (made < due) mixed.push(make(made++, each));
  });
  return mixed;
}

/** Questions about what such memories say, with names and days: the same for the same seed. */
export function unrelatedQuestions(seed: number): () => string {
  const random = seeded(seed);
  const one = (among: readonly string[]) => among[Math.floor(random() * among.length)]!;
  return () => {
    if (random() < 0.25) return `${one(chinese.who)}${one(chinese.when)}把${one(chinese.what)}放在哪里了？`;
    const { who, what, did, when } = english;
    return `Who ${one(did)} ${one(what)} ${one(when)}, was it ${one(who)}?`;
  };
}
