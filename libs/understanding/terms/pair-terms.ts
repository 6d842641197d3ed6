/** Overlapping pairs of a run of kana, Hangul or another script without plain word boundaries; a lone character as it is. */
export function eachPairTerm(run: string, found: (term: string) => void): void {
  let previous = '';
  let count = 0;
  for (const character of run) {
    if (previous) found(previous + character);
    previous = character;
    count++;
  }
  if (count === 1 && !particle.test(previous)) found(previous);
}

// A lone hiragana between Han characters is a particle or an ending.
const particle = /^\p{Script=Hiragana}$/u;
