/** Irregular forms of English, by what a stemmer would make of the plain one: "base form form …". */
const families = `go went gone|buy bought|bring brought|think thought|catch caught|teach taught|seek sought|fight fought|feel felt|keep kept
  leave left|lose lost|mean meant|meet met|sell sold|tell told|send sent|spend spent|build built|lend lent|bend bent|sleep slept|sweep swept
  hold held|hear heard|stand stood|understand understood|find found|win won|sit sat|get got gotten|give gave given|take took taken
  make made|say said|pay paid|see saw seen|eat ate eaten|drive drove driven|write wrote written|ride rode ridden|rise rose risen
  speak spoke spoken|break broke broken|choose chose chosen|wake woke woken|freeze froze frozen|steal stole stolen|wear wore worn|tear tore torn
  swear swore sworn|begin began begun|drink drank drunk|sing sang sung|swim swam swum|ring rang rung|run ran|come came|become became
  grow grew grown|know knew known|throw threw thrown|fly flew flown|draw drew drawn|show shown|fall fell fallen|forget forgot forgotten
  hide hid hidden|bite bit bitten|shake shook shaken|lead led|feed fed|shoot shot|stick stuck|strike struck|dig dug|hang hung
  deal dealt|dream dreamt|learn learnt|burn burnt|slide slid|spin spun|sink sank sunk
  man men|woman women|child children|person people|foot feet|tooth teeth|mouse mice|goose geese|wife wives|life lives|knife knives
  shelf shelves|half halves|wolf wolves`;

/** The plain form of an irregular one. */
export const plainForms: ReadonlyMap<string, string> = new Map(
  families.split(/\s*[|\n]\s*/).flatMap((family) => {
    const [plain, ...forms] = family.trim().split(/\s+/);
    return forms.map((form) => [form, plain!] as const);
  }),
);
