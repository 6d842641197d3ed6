/** Text that behaves like memory: a Zipfian vocabulary, English and Chinese, the same for the same seed. */
export function sentences(seed: number): { next: () => string; question: () => string } {
  let state = seed >>> 0 || 1;
  // xorshift32 (Marsaglia 2003): repeatable, and good enough to draw words by.
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  // Rank r with a probability of about 1/r over 20,000 words, as in natural text.
  const word = () => `w${Math.floor(20_000 ** random()).toString(36)}x`;
  const han = () => String.fromCharCode(0x4e00 + Math.floor(3000 ** random()));
  const english = () => Array.from({ length: 12 + Math.floor(random() * 20) }, word).join(' ');
  const chinese = () => Array.from({ length: 14 + Math.floor(random() * 20) }, han).join('');
  return {
    next: () => (random() < 0.25 ? `${chinese()} ${word()}` : english()),
    question: () =>
      random() < 0.25 ? Array.from({ length: 6 }, han).join('') : Array.from({ length: 5 }, word).join(' '),
  };
}
