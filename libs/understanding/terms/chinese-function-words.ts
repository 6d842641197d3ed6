/**
 * Chinese function words. A dictionary gains nothing for retrieval (measured on 2,063 questions), so words are known only
 * where they carry no content and would match anything.
 */
const phrases =
  `为什么 是什么 什么样 怎么样 怎么办 什么时候 什么地方 有没有 是不是 能不能 会不会 可不可以 要不要 有哪些 是哪些 有多少 是多少
  什么 怎么 怎样 如何 哪里 哪儿 哪个 哪些 哪位 哪一个 哪种 多少 几个 是否 为何 何时 何地 请问 告诉我 知不知道 你知道 知道吗 谁的
  我们 你们 他们 她们 它们 咱们 自己 这个 那个 这些 那些 这里 那里 这儿 那儿 这样 那样 这么 那么 一个 一些 一下 的话
  以及 或者 还是 而且 但是 可是 不过 因为 所以 如果 虽然 然后 并且 关于 对于 由于 就是 不是 还有 没有 可以 应该 已经 曾经 正在
  多久 多长 多大 多高 多远 多重 第几 几点 几号 几月 几岁 哪年 哪月 哪天 哪一年 哪一天 为啥 咋样 怎么回事 帮我 给我 跟我
  什麼 為什麼 怎麼 怎麼樣 怎樣 哪裡 哪個 幾個 是否 為何 我們 你們 他們 這個 那個 這些 這裡 那裡 這樣 那樣 沒有 還有 關於 因為 雖然 並且`
    .split(/\s+/)
    .filter(Boolean);

/** Content words that hold a character of `particles`. */
const exceptions = `目的 目的地 的士 的确 标的 了解 明了 了结 了断 为了 酒吧 网吧 贴吧 吧台 呢子 什么值得买`.split(
  /\s+/,
);

/** Alone or in any pair they say nothing. */
const particles = '的了吗呢吧啊呀嘛哦哪谁么们嗯哈嗎麼們誰';

/** Alone they say nothing; in a pair they may be half of a word (和平, 在线, 对象). */
const weak = new Set(
  '是在和与及或也都就而但被把给让从到对向于以之其这那我你他她它个很有还又再才只不没会能要去来说上下里为最更该所并呗喔啦個與對從這會來說裡並還沒給讓',
);

const covered = new RegExp(`(${byLength(exceptions).join('|')})|${byLength(phrases).join('|')}|[${particles}]`, 'g');

/** Whether a character says nothing alone, though it may be half of a word. */
export function isWeakCharacter(character: string): boolean {
  return weak.has(character);
}

/** Whether a single character is no term by itself. */
export function isFunctionCharacter(character: string): boolean {
  return weak.has(character) || particles.includes(character);
}

/** The stretches of a run of Han characters that are left when function words are taken out. */
export function contentRuns(run: string): string[] {
  const cut = run.replace(covered, (match, exception: string | undefined) => exception ?? ' '.repeat(match.length));
  return cut.split(/ +/).filter(Boolean);
}

function byLength(words: readonly string[]): string[] {
  return [...words].sort((one, other) => other.length - one.length);
}
