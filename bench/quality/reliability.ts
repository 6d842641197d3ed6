/** A score that was given, and whether the item was relevant. */
export interface Prediction {
  readonly score: number;
  readonly relevant: boolean;
}

/** All items whose score lies in one tenth. */
export interface Tenth {
  readonly from: number;
  readonly to: number;
  readonly items: number;
  /** Mean of their scores. */
  readonly predicted: number;
  /** Share of them that is relevant. */
  readonly observed: number;
}

/** Whether scores are probabilities: what was predicted against what was seen, by tenths; tenths without items are left out. */
export function reliability(predictions: readonly Prediction[]): Tenth[] {
  const tenths = Array.from({ length: 10 }, () => ({ items: 0, score: 0, relevant: 0 }));
  for (const { score, relevant } of predictions) {
    const tenth = tenths[Math.max(0, Math.min(9, Math.floor(score * 10)))]!;
    tenth.items++;
    tenth.score += score;
    if (relevant) tenth.relevant++;
  }
  return tenths
    .map(({ items, score, relevant }, at) => ({
      from: at / 10,
      to: (at + 1) / 10,
      items,
      predicted: score / items,
      observed: relevant / items,
    }))
    .filter(({ items }) => items > 0);
}

/** Mean distance of predicted from observed, tenths weighed by their items (Naeini et al. 2015); 0 is honest. */
export function calibrationError(tenths: readonly Tenth[]): number {
  const items = tenths.reduce((sum, tenth) => sum + tenth.items, 0);
  return tenths.reduce((sum, tenth) => sum + (tenth.items / items) * Math.abs(tenth.predicted - tenth.observed), 0);
}
