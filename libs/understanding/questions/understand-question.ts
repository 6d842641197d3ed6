import { askedSpans } from '../dates/asked-spans.js';
import { entitiesOf } from '../entities/entities-of.js';
import { languageOf } from '../language/language.js';
import { isAboutNow } from './about-now.js';
import type { AskedQuestion } from './asked.js';
import { asksForHelp } from './asks-for-help.js';
import { withoutFiller, withoutPresent } from './filler.js';
import { isBare } from './is-bare.js';
import { isFirstPerson, isOfYou, isPast } from './person-and-past.js';
import { wantedOf } from './wanted.js';

/** A question is read up to here: what comes after it says no more of what is asked. */
const longest = 20_000;

/**
 * What a question asks for, by rules. Positions are those of the question as given.
 * @param options.now ISO 8601: what `last year` is counted from, in its own offset
 */
export function understandQuestion(question: string, options: { readonly now: string }): AskedQuestion {
  const read = question.length > longest ? question.slice(0, longest) : question;
  const asked = withoutFiller(question);
  const { text, cut: present } = withoutPresent(asked.text);
  const cut = [...asked.cut, ...present];
  const wanted = wantedOf(text);
  const dates = askedSpans(read, options);
  const past = isPast(read);
  return {
    language: languageOf(read),
    wanted,
    past,
    aboutNow: isAboutNow(text, wanted, past),
    forHelp: asksForHelp(read),
    ofYou: isOfYou(read),
    firstPerson: isFirstPerson(text.slice(0, longest)) || cut.some(tellsOfAsker),
    // Who types without capitals means names by small letters.
    entities: entitiesOf(read, { anyCase: !usesCapitals(read) }),
    dates,
    bare: isBare(
      read,
      dates.map(({ words }) => words),
    ),
    text,
    cut,
  };
}

/** A capital of a word that is not I. */
const capital = /\p{Lu}\p{L}|(?!I)\p{Lu}/u;

/** Whether a question has a capital behind its first word. */
function usesCapitals(question: string): boolean {
  return capital.test(question.trimStart().slice(1));
}

/** `What did I tell you about`, 我跟你说过: cut, and yet it says whose words are looked for; `tell me` does not. */
function tellsOfAsker(cut: string): boolean {
  return /\b(?:i|we) (?:ever |already |previously |just )?(?:told|tell|said|say|mention|share)|我.{0,6}[说說提讲聊]/i.test(
    cut,
  );
}
