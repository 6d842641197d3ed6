import type { Wanted } from './asked.js';

type Rule = readonly [Wanted, RegExp];

/** The first rule that fits decides: the question word that stands first in it counts most. */
const english: readonly Rule[] = [
  ['count', /\bhow (?:many|much|often)\b|\bnumber of\b/],
  [
    'when',
    /\bwhen\b|\bhow (?:long ago|long|recently|soon)\b|\b(?:what|which) (?:day|date|month|year|week|time|season)\b|\bsince when\b/,
  ],
  [
    'where',
    /\bwhere\b|\b(?:what|which) (?:city|country|place|town|state|street|room|folder|directory|location|address)\b/,
  ],
  ['who', /\bwho(?:se|m)?\b|\b(?:what|which) (?:person|people|colleague|friend)\b|\bby whom\b/],
  ['why', /\bwhy\b|\bhow come\b|\bwhat(?: was|'s| is)? (?:the )?(?:reason|cause)\b|\bfor what reason\b/],
  ['value', /\bwhat(?:'s|s)?\b|\bwhich\b/],
  ['how', /\bhow\b/],
  [
    'whether',
    /^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|am|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|hasn't|haven't|won't)\b/,
  ],
];

const chinese: readonly Rule[] = [
  ['count', /多少(?!天前|年前)|[有共]?几(?:个|個|次|位|人|本|家|台|只|条|种|张|份|件|名|辆|部|遍|项|款)/u],
  [
    'when',
    /什么时候|什麼時候|何时|何時|哪[一]?[天年月日周]|几[号月点日]|幾[號月點]|多久|什么时间|哪个月|哪個月|时间是/u,
  ],
  [
    'where',
    /哪里|哪裡|哪儿|哪兒|何处|何地|什么地方|哪个?(?:城市|国家|地方|省|区|街|地区|目录|文件夹)|在哪(?!一?[天年月日周号]|个月|個月|几天|幾天)/u,
  ],
  ['who', /谁|誰|哪位|哪个人|什么人|何人/u],
  ['why', /为什么|為什麼|为何|為何|为啥|怎么会|什么原因|原因是/u],
  ['how', /怎么|怎麼|怎样|怎樣|如何|咋样?/u],
  ['value', /什么|什麼|哪个|哪個|哪些|哪种|哪款|哪一|何种|啥|多[大长高远重深宽快]/u],
  ['whether', /[吗嗎](?=\W*$)|是不是|有没有|有沒有|能不能|会不会|可不可以|要不要|是否|对不对/u],
];

/** A question longer than this says in its last part what it wants. */
const looked = 600;

/** Which kind of answer a question wants; undefined where it does not say. */
export function wantedOf(question: string): Wanted | undefined {
  const end = question.slice(-looked).toLowerCase().replaceAll('’', "'");
  const found = firstOf(chinese, end) ?? firstOf(english, end);
  return found;
}

function firstOf(rules: readonly Rule[], text: string): Wanted | undefined {
  let wanted: Wanted | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [kind, words] of rules) {
    const at = words.exec(text)?.index;
    // Of rules that fit at the same place the one named first counts: `how many` before `how`.
    if (at !== undefined && at < least && !(kind === 'whether' && wanted)) {
      wanted = kind;
      least = at;
    }
  }
  return wanted;
}
