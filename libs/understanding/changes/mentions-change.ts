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
    'grew|grown|rose|risen|dropped|fell|reach(?:ed|es)|pushed|bumped',
    'no longer|not any ?more|any ?more|instead|from now on|as of (?:now|today)',
    'now|nowadays|currently|recent(?:ly)?|latest|new(?:er|ly)?',
  ].join('|')})\b`,
  'i',
);
const chinese =
  /改[成为為到用了]|换[成到了]|換[成到了]|变[成为]|變[成為]|调整|調整|调[高低到]|提高到|增加到|升到|涨到|漲到|降到|降低到|减[少到]|減[少到]|推迟|推遲|提前|延期|延长|延長|延到|更新|升级|升級|搬到|搬去|迁移|遷移|取代|替换|替換|如今|现在|現在|目前|最近|不再|最新|新的/u;

/** Whether a text says that something is otherwise than it was: what a later statement of a value does, and a second mention does not. */
export function mentionsChange(text: string): boolean {
  return english.test(text) || chinese.test(text);
}
