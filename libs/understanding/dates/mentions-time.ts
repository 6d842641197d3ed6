const months =
  'jan(?:uary)?|feb(?:ruary)?|mar|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const english = new RegExp(
  [
    String.raw`\b(?:1[89]|20)\d\d\b`,
    String.raw`\b(?:yesterday|today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?)\b`,
    String.raw`\b(?:last|next|this|past|previous|coming) (?:week|month|year|night|morning|evening|spring|summer|autumn|fall|winter|quarter)\b`,
    String.raw`\b(?:days?|weeks?|months?|years?|hours?|minutes?|decades?) (?:ago|earlier|later|before|after)\b`,
    String.raw`\b(?:${months})\.? \d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${months}|march|may)\b`,
    String.raw`\b(?:january|february|april|june|july|august|september|october|november|december)\b`,
    String.raw`\b(?:in|since|until|till|by|last|next|this|late|early|mid|before|after|during|from) ?-?(?:march|may)\b|\b(?:march|may) \d`,
    String.raw`\b\d{1,2}:\d\d\b|\b\d{1,2} ?[ap]\.?m\b`,
  ].join('|'),
  'i',
);
const chinese =
  /[昨今明后前][天晚早年]|[上下这本][个個]?(?:周|星期|礼拜|月|季度)|[去今明前后]年|(?:周|星期|礼拜)[一二三四五六日天末]|\d{1,4} ?[年月日号]|[〇零一二三四五六七八九十两]{1,4}(?:年|月|日|号)|[天周月年]前|[春夏秋冬]天|[〇零一二三四五六七八九十两]{1,3}月|(?:小时|分钟|星期|天|年|个月)之?[前后]|凌晨|早上|上午|中午|下午|傍晚|晚上/u;

/** Longer than this a text has said in its beginning whether it speaks of a time. */
const looked = 8_000;

/** Whether a text speaks of a time: a date, a weekday, or a relative time word, in English or Chinese. */
export function mentionsTime(text: string): boolean {
  const start = text.length > looked ? text.slice(0, looked) : text;
  return english.test(start) || chinese.test(start);
}

const loose =
  /\d|day|night|week|month|year|decade|quarter|hour|minute|ago\b|from now|morning|noon|evening|tomorrow|season|spring|summer|autumn|fall|winter|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)/i;

/** Whether English rules for times can find anything: whatever this misses no rule finds. */
export function mayNameTime(text: string): boolean {
  return loose.test(text);
}
