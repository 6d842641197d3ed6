const help =
  /\b(?:suggest|recommend|would you|could you|can you|help me|how (?:should|can|do) i|what should|advice|tips|ideas|planning|looking (?:to|for)|show me)\b|建议|建議|推荐|推薦|怎么|怎麼|如何|帮我|幫我/iu;
const account = /^\W*can you walk\b/i;

/** Whether a question asks for advice or for something to be done, which goes by how the asker wants things; not for an account of what was. */
export function asksForHelp(question: string): boolean {
  const text = question.slice(0, 2_000);
  return help.test(text) && !account.test(text);
}
