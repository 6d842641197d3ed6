const first = /\b(?:i|me|my|mine|myself|i'm|i've|i'd|i'll|we|us|our|ours)\b|[我俺咱]/iu;

/** Whether a question speaks of the one who asks. */
export function isFirstPerson(question: string): boolean {
  return first.test(question.slice(0, 4_000).replaceAll('’', "'"));
}

const said = '(?:recommend|suggest|advise|propose|say|tell|mention|explain|describe|outline|offer|walk|give)';
/** What was said to whoever asks; not `would you suggest`, which asks for something new. */
const toldByYou = new RegExp(
  String.raw`\b(?:did|had|have) you (?:\w+ ){0,2}${said}|\byou(?:'ve| have| had)? (?:\w+ ){0,1}(?:recommended|suggested|advised|proposed|said|told|mentioned|explained|outlined)\b|\byour (?:advice|recommendations?|suggestions?|explanation|answer)\b|(?<![跟和对對向给給与與诉訴])[你您](?:之前|以前|上次|曾经|当时)?(?:给我)?(?:建议|推荐|说过|提到|讲过|告诉|解释)`,
  'i',
);

/** Whether a question asks for what the one who is asked has said before. */
export function isOfYou(question: string): boolean {
  return toldByYou.test(question.slice(0, 4_000).replaceAll('’', "'"));
}

const englishPast =
  /\b(?:used to|originally|previously|formerly|back then|in the past|at first|initially|earlier on|prior to (?:that|this|the change)|old(?:er)? (?:version|value|address|job|name|one)|(?:former|previous|original|prior) \w+)\b|\bbefore(?: (?:that|this|then|it changed|the change|now))?\s*[?.!]*$|\b(?:was|were|did|had) .{1,120}\b(?:before (?:it|he|she|they|we|i|switching|moving|migrating|changing)\b)/i;
const chinesePast =
  /以前|从前|從前|原来|原來|原先|原本|最初|最早|起初|曾经|曾經|先前|过去(?!了)|之前(?:是|用|在|叫|住|的|有|做|喜欢|都|那)|(?:旧|舊|上一个|前一个)(?:的)?(?:版本|地址|名字|工作|公司|值)?|改[之以]?前|换[之以]?前|搬家?[之以]?前|迁移[之以]?前/u;
/** A time before a date is a span, no past state. */
const beforeDate = /(?:\d|[年月日号]|周[一二三四五六日天]|[天周月年点])\s?(?:之前|以前)/u;

/** Whether a question asks for what was before something changed: not `before March`. */
export function isPast(question: string): boolean {
  const text = question.slice(0, 4_000);
  if (englishPast.test(text)) return true;
  if (!chinesePast.test(text)) return false;
  return chinesePast.test(text.replace(beforeDate, ' '));
}
