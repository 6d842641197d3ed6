const wish =
  /\b(?:always|never|from now on|make sure (?:to|you)|when(?:ever)? i ask|prefer(?:s|red|ences?)?|i (?:really )?(?:like|love|hate|dislike|avoid)|don'?t (?:like|want)|rather (?:than|not)|favou?rite)\b|总是|總是|一直|从不|從不|每次|请务必|請務必|偏好|喜欢|喜歡|讨厌|討厭|不想|不要|宁愿|寧願|最爱|最愛/iu;

/** Whether a text says how somebody wants things to be done, or what they like: what counts whenever help is asked for. */
export function tellsWish(text: string): boolean {
  return wish.test(text.replaceAll('’', "'"));
}
