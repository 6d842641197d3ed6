import { hasEmoji } from '../terms/script.js';

/** Words that ask what there is without saying of what. */
const english =
  /\b(?:what|whats|what's|which|who|anything|everything|something|all|any|things?|events?|notes?|memor(?:y|ies)|news?|happen(?:s|ed|ing)?|occur(?:s|red|ring)?|(?:took|take|takes|taking) place|d(?:o|oes|id|one|oing)|(?:wa|i)s|were|are|been?|ha(?:s|ve|d)|go(?:es|ing|ne)?|went|sa(?:y|ys|id|ying)|t(?:ell|old)|talk(?:ed|ing)?|discuss(?:ed)?|know|known|remember|recall|list|show|give|there|here|up|on|in|at|of|the|an?|i|we|you|they|me|us|my|our|your|for|from|to|between|and|during|about|that|this|day|time|please)\b/gi;
const chinese =
  /发生|發生|什么|什麼|哪些|事情|事|做|说|說|聊|谈|談|记录|記錄|情况|情況|知道|记得|記得|我们|我們|你们|我|你|大家|那天|这天|當天|当天|那时|那個|那个|这个|了|过|過|有|在|的|都|吗|嗎|呢|是|和|到|从|從|与/gu;

/**
 * Whether nothing is left of a question once the times in it are taken away: it asks for whatever there is (`what happened on 15 March?`,
 * 三月发生了什么？).
 * @param times where in the question its times stand
 */
export function isBare(question: string, times: readonly (readonly [from: number, to: number])[]): boolean {
  let text = question.slice(0, 600);
  for (const [from, to] of times) text = text.slice(0, from) + ' '.repeat(Math.max(0, to - from)) + text.slice(to);
  return !/[\p{L}\p{N}]/u.test(text.replace(english, ' ').replace(chinese, ' ')) && !hasEmoji(text);
}
