/** What a question is cut to, and what was cut. */
export interface Unfilled {
  readonly text: string;
  readonly cut: string[];
}

const you = String.raw`(?:can|could|would|will) you(?: please| kindly)?`;
/** What asks for an answer and says nothing about it; only at the start, one after another. */
const englishOpenings = [
  String.raw`(?:hi|hey|hello)(?: there| again)?[,!. ]+`,
  String.raw`(?:please|ok|okay|so|well|um+|hmm+|also|and|by the way|btw|quick question|just wondering|sorry|thanks)[,:. ]+`,
  String.raw`(?:please )?(?:${you} )?(?:tell|remind|show|inform) me(?: again)?(?: please)?,? (?:about |of )?(?=\w)`,
  String.raw`(?:please )?${you} (?:recall|remember|find out|look up|check|say|explain)(?: for me)?,? (?:if |whether )?(?=\w)`,
  String.raw`(?:do|did|can) (?:you|u) (?:happen to )?(?:still )?(?:remember|recall|know|have any idea)(?: if| whether| about)? `,
  String.raw`(?:what|which things?) (?:did|have|had) (?:i|we) (?:ever |already |previously |just )?(?:told|tell|said|say|mention(?:ed)?|share[d]?)(?: to)? ?(?:you|u)? ?(?:about|regarding|on|of) `,
  String.raw`(?:what|which things?) do you (?:know|remember|recall|have)(?: on record)? (?:about|regarding|on|of) `,
  String.raw`(?:i(?:'d| would) like to know|i (?:want|wanted|need) to know|i(?:'m| am| was) (?:just )?(?:wondering|curious|asking)|i wonder)(?: about| if| whether)?,? `,
  String.raw`(?:any idea|is there anything|have i (?:ever )?(?:told|mentioned to) you)(?: about)? `,
  String.raw`(?:remember|recall) (?:when|that|how) `,
  String.raw`(?:based on|according to|from|given) (?:our|my|the|your) (?:previous |past |earlier |last )?(?:conversations?|chats?|discussions?|messages|memory|notes)[, ]+`,
];
const chineseOpenings = [
  `(?:请问|請問|你好|您好|嗨|麻烦|打扰一下|那么|对了|話說|话说|嗯|另外|还有)(?:一下)?[，,！!。 ]*`,
  `(?:请|請|麻烦)?(?:你|您)?(?:能|能否|能不能|可以|可不可以|可否)?(?:再)?(?:告诉|告訴|提醒|跟|和|给|帮)(?:一下)?我(?:再)?(?:说说|说一下|讲讲|讲一下|回忆一下|查一下|查查|看看|想想|一下|下)?[，, ]*`,
  `(?:你|您)(?:还|還)?(?:是否)?(?:记得|記得|记不记得|知道|知不知道|清楚|了解)(?:一下)?(?:吗|嗎|不)?[，,？? ]*`,
  `(?:我)?(?:之前|以前|上次|曾经|刚才|先前)?(?:有)?(?:跟|和|对|與|向)?(?:你|您)?(?:说过|說過|提过|提到过|讲过|聊过|告诉过你|告诉过您)(?:的)?(?:关于|關於)?[，, ]*`,
  `(?:我)(?:之前|以前|上次|曾经)?(?:跟|和|对|向)(?:你|您)(?:说|提|讲|聊)(?:过|到|起)?(?:的)?(?:关于|關於)?[，, ]*`,
  `(?:我)?(?:想|要|想要)(?:知道|问|问一下|问问|了解|了解一下|请教)(?:一下)?[，, ]*`,
  `(?:根据|根據|按照)(?:我们|你我|之前|以前)?(?:的)?(?:之前的|以前的)?(?:对话|聊天|记录|聊天记录|谈话)[，, ]*`,
];
const openings = [
  ...englishOpenings.map((each) => new RegExp(String.raw`^\s{0,8}(?:${each})`, 'i')),
  ...chineseOpenings.map((each) => new RegExp(String.raw`^\s{0,8}(?:${each})`, 'u')),
];
const closings = [
  /[, ]{1,4}(?:please|thanks|thank you|again|do you (?:know|remember|recall)|if you (?:remember|recall|know)|can you tell me)\s{0,4}[?.!]{0,3}\s{0,4}$/i,
  /[，, ]{0,4}(?:你还记得吗|你記得嗎|你记得吗|你知道吗|记得吗|知道吗|谢谢|謝謝)[？?。!！]{0,3}\s{0,4}$/u,
];
/** So much has to be left that there is something to be searched. */
const content = /[\p{L}\p{N}]{2}|\p{Script=Han}/u;
const most = 6;

/** Says that the present is meant, which is what a question without it means as well: as words of the question they would be missed in the answer. */
const present =
  /[, ]{0,2}\b(?:right now|at the moment|at present|these days|nowadays|currently|now|as of (?:now|today))\b|\bcurrent (?=[\p{L}\p{N}])|(?:现在|現在|目前|当前|當前|如今|眼下)(?:的)?/giu;

/** Cuts what only says that the present is meant: `now`, `current`, 目前. What would leave nothing to search is not cut. */
export function withoutPresent(question: string): Unfilled {
  const cut: string[] = [];
  const text = question
    .replace(present, (words) => {
      cut.push(words.replace(/^[, ]+/, '').trim());
      return /^[, ]/.test(words) ? '' : ' ';
    })
    .replace(/ {2,}/g, ' ')
    .trim();
  return cut.length > 0 && content.test(text) ? { text, cut } : { text: question, cut: [] };
}

/** Cuts what only asks: `do you remember`, 你还记得. What would leave nothing to search is not cut. */
export function withoutFiller(question: string): Unfilled {
  const cut: string[] = [];
  let text = question;
  for (let round = 0; round < most; round++) {
    const found = cutOnce(text);
    if (!found) break;
    cut.push(found.cut.trim());
    text = found.text;
  }
  return { text: cut.length > 0 ? text.trim() : question, cut };
}

function cutOnce(text: string): { text: string; cut: string } | undefined {
  const [start, end] = [text.slice(0, 200), text.slice(-80)];
  for (const opening of openings) {
    const words = opening.exec(start)?.[0];
    if (!words) continue;
    const rest = text.slice(words.length);
    if (content.test(rest)) return { text: rest, cut: words };
  }
  for (const closing of closings) {
    const words = closing.exec(end)?.[0];
    if (!words) continue;
    const rest = text.slice(0, text.length - words.length);
    if (content.test(rest)) return { text: rest, cut: words };
  }
  return undefined;
}
