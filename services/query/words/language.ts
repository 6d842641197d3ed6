/** Languages that sentences are put in. */
export type Language = 'en' | 'zh';

/** The language of a text, by its script: one Chinese character decides, since a Chinese sentence is full of Latin names. */
export function languageOf(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}
