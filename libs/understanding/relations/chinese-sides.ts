import { foldName } from '../entities/fold-name.js';
import { type Subject, valued } from './english-sides.js';
import type { RelationState } from './relation.js';
import type { ObjectKind } from './relation-pack.js';
import { mentionsWithin, type Side, type Statement } from './sentence.js';

const trailing =
  /(不再|没有|沒有|没|不|从不|曾经|曾經|曾|以前|之前|原来|原來|原先|从前|过去|将要|將要|将|會|会|打算|计划|准备|想|要|可能|现在|現在|目前|如今|已经|已經|已|一直|都|也|还|還|又|最近|刚刚|刚|主要|正在|正|就|才|仍然|仍|终于|其实|通常|经常|决定|決定|同意|开始|選擇|选择|后来|後來|昨天|前天|今天|去年|今年|前年|上个月|上周|这周|是|默认|统一|全部|当前|的|了|,|，|\s)$/u;
const states: readonly (readonly [RegExp, RelationState])[] = [
  [/^(?:不再|没有|沒有|没|不|从不)$/u, 'not'],
  [/^(?:曾经|曾經|曾|以前|之前|原来|原來|原先|从前|过去)$/u, 'was'],
  [/^(?:将要|將要|将|會|会|打算|计划|准备|想|要|可能)$/u, 'planned'],
];
const first = /(我们|我們|咱们|我|俺)$/u;
const nobody = /(?:他们|她们|它们|他|她|它|你们|你|您|谁|誰|大家|有人|这|那|這|哪|什么|自己|人家)$/u;
const leading =
  /^(?:昨天|今天|明天|前天|去年|今年|明年|前年|上周|这周|下周|上个月|这个月|最近|现在|目前|后来|然后|但是|但|不过|而且|所以|因为|因此|另外|其中|如果|听说|据说|原来|以前|之前|首先|最后|请|和|跟|让|把|在|从|对|由|\s|\d{1,4}年|\d{1,2}月|\d{1,2}[日号])+/u;
/** A subject that is no name has at most so many characters. */
const longestSubject = 14;

export function chineseSubject(statement: Statement, from: number, to: number): Subject | 'empty' | undefined {
  const { text, speaker } = statement;
  let end = to;
  let state: RelationState = 'holds';
  for (let round = 0; round < 6; round++) {
    const word = trailing.exec(text.slice(Math.max(from, end - 4), end))?.[1];
    if (!word) break;
    const found = states.find(([form]) => form.test(word))?.[1];
    if (found && state === 'holds') state = found;
    end -= word.length;
  }
  const left = text.slice(from, end);
  if (left.replace(leading, '').trim() === '') return 'empty';
  const entity = mentionsWithin(statement, from, end).find(({ words }) => words[1] === end);
  if (entity) return { name: entity.folded, from: entity.words[0], to: end, state };
  const self = first.exec(left)?.[1];
  if (self) return { name: speaker ? foldName(speaker) : 'i', from: end - self.length, to: end, state };
  if (nobody.test(left)) return undefined;
  const people = mentionsWithin(statement, from, end).filter(({ kind }) => kind === 'person');
  const bare = left.replace(leading, '');
  const start = end - bare.length;
  if (people.length === 1 && bare.length > longestSubject / 2) {
    const [one] = people;
    return { name: one!.folded, from: one!.words[0], to: one!.words[1], state };
  }
  if (bare.length > longestSubject || bare.length === 0) return undefined;
  // 我的妹妹, 我妹妹: somebody else than the speaker.
  const owned = /^(?:我们|我們|咱们|我)的?(?=.)/u.exec(bare)?.[0];
  if (owned)
    return {
      name: `${speaker ? foldName(speaker) : '我'}的${foldName(bare.slice(owned.length))}`,
      from: start,
      to: end,
      state,
    };
  if (/^(?:他|她|它|你|您)|^[这那這].?$/u.test(bare)) return undefined;
  return { name: foldName(bare.replace(/^(?:一个|这个|那个)/u, '')), from: start, to: end, state };
}

const opening = /^(?:了|是|叫|到|一个|一只|一台|一辆|一条|一款|我们的|我的|他的|她的|一下|新的|\s)+/u;
const closing = /(?:了|的|吧|呢|啊|呀|里|上|中|工作|上班|里面|这边|那边|\s)$/u;
const stop =
  /和|与|跟|但|而|因为|所以|然后|并且|并|来(?=[做写存])|用来|的时候|之后|以后|还有|以及|就|都|也|，|,|。|、/u;

export function chineseObject(statement: Statement, from: number, to: number, kind: ObjectKind): Side | undefined {
  const { text } = statement;
  const start = from + (opening.exec(text.slice(from, Math.min(to, from + 12)))?.[0].length ?? 0);
  const right = text.slice(start, Math.min(to, start + 60));
  if (kind === 'number') {
    const number = /^\d{1,12}(?:\.\d+)?(?=\s?(?:岁|$))/u.exec(right)?.[0];
    return number ? { name: number, from: start, to: start + number.length } : undefined;
  }
  if (kind === 'clause')
    return right.trim().length > 1 ? sideOf(text, start, start + right.trimEnd().length) : undefined;
  const beginning = mentionsWithin(statement, start, Math.min(text.length, start + 60)).filter(
    ({ words }) => words[0] === start,
  );
  if (kind === 'value' && beginning.some(({ kind: what }) => !valued.has(what))) return undefined;
  if (beginning.length > 0) {
    const longest = beginning.reduce((one, other) => (other.words[1] > one.words[1] ? other : one));
    return { name: longest.folded, from: start, to: longest.words[1] };
  }
  if (kind === 'value' && !/^[+$€£¥]?\d/.test(right)) return undefined;
  if (/^(?:他|她|它|你|您|什么|谁|哪|这|那|吗|不)/u.test(right)) return undefined;
  const end = stop.exec(right)?.index ?? right.length;
  let words = right.slice(0, Math.min(end, 20));
  for (let round = 0; round < 3 && closing.test(words); round++) words = words.replace(closing, '');
  return words.length > 0 ? sideOf(text, start, start + words.length) : undefined;
}

function sideOf(text: string, from: number, to: number): Side | undefined {
  const name = foldName(text.slice(from, to));
  return name === '' ? undefined : { name, from, to };
}
