/** English words that carry no content of their own, in lower case, without apostrophes' endings. `may` is missing: it is a month. */
export const englishFunctionWords: ReadonlySet<string> = new Set(
  `a an the this that these those some any each every either neither no nor not none such own same other another both all many much
  i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
  it its itself they them their theirs themselves one ones who whom whose which what when where why how whatever whichever
  am is are was were be been being do does did done doing have has had having can could shall should will would might must
  ought let lets and or but if then else than so because as while until although though unless whether of at by for with
  about against between into through during before after above below to from up down in out on off over under again
  further once here there onto upon within without toward towards via per very too also just only even still yet ever
  please tell know don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn mustn needn ain s t d m re ve ll
  dont doesnt didnt isnt im ive youre whats thats`
    .split(/\s+/)
    .filter(Boolean),
);
