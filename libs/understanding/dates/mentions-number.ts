const counted =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|millions?|half|once|twice|couple)\b|[一二两兩三四五六七八九十百千万萬亿億半]+[个個次年月天日岁歲人位名条條件本张張只隻家座层層米元块塊公里斤种種遍倍分]/iu;

/** Whether a text tells a number, in digits or in words: what a question for a count or a value is answered with. */
export function mentionsNumber(text: string): boolean {
  return counted.test(text);
}
