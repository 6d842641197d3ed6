const english = new RegExp(
  String.raw`\b(?:${[
    'chang(?:e|ed|es|ing)',
    'updat(?:e|ed|es|ing)',
    'adjust(?:ed|s|ing)?',
    'revis(?:e|ed|es|ing)',
    'increas(?:e|ed|es|ing)',
    'decreas(?:e|ed|es|ing)',
    'reduc(?:e|ed|es|ing)',
    'rais(?:e|ed|es|ing)',
    'lower(?:ed|s|ing)',
    'extend(?:ed|s|ing)?',
    'shorten(?:ed|s|ing)?',
    'postpon(?:e|ed|es|ing)',
    'reschedul(?:e|ed|es|ing)',
    'delay(?:ed|s)',
    'mov(?:ed|ing)',
    'switch(?:ed|es|ing)?',
    'migrat(?:ed|ing)',
    'replac(?:e|ed|es|ing)',
    'renam(?:ed|ing)',
    'upgrad(?:e|ed|es|ing)',
    'downgrad(?:e|ed|es|ing)',
    'improv(?:ed|es)',
    'relocat(?:ed|ing)',
    'shifted|swapped|slipped|doubled|tripled|halved',
    '(?:went|gone) (?:up|down)|cut (?:to|by|from)|brought forward|(?:took|taken|handed) over',
    'grew|grown|rose|risen|dropped|fell|reach(?:ed|es)|pushed|bumped',
    'no longer|not any ?more|any ?more|instead|from now on|as of (?:now|today)',
    'now|nowadays|currently|recent(?:ly)?|latest|new(?:er|ly)?',
  ].join('|')})\b`,
  'i',
);
const chinese =
  /改[成為为到用了在由期至]|换[成到了为由]|換[成到了為由]|变[成为]|變[成為]|调整|調整|调[高低到至]|提高[到至]|增加?[到至]|升[到至]|涨[到至]|漲[到至]|降低?[到至]|减[少到至半]|減[少到至半]|翻倍|推迟|推遲|提前|顺延|順延|延期|延长|延長|延[到至]|缩短|縮短|更新|升级|升級|搬[到去至]|[挪移][到至去]|迁[移到至]|遷[移到至]|取代|替换|替換|接手|接替|如今|现在|現在|目前|最近|不再|最新|新的/u;

/** Whether a text says that something is otherwise than it was: what a later statement of a value does, and a second mention does not. */
export function mentionsChange(text: string): boolean {
  return english.test(text) || chinese.test(text);
}
