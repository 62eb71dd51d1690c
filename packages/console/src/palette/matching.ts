// The characters between words, as the search for titles knows them.
const SEPARATOR = /[\s\-‐–—_/|.,:;!?()[\]{}<>"'’‘“”„‟«»‹›@#&*]/u

const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
}

/** Returns the words of a text in lower case and without accents. */
export function wordsOf(text: string): readonly string[] {
  return spaced(text)
    .split(" ")
    .filter((word) => word !== "")
}

/** True if, for each word of the query, the text has a word that begins like it. */
export function matchesWords(text: string, query: readonly string[]): boolean {
  const plain = ` ${spaced(text)}`
  return query.every((word) => plain.includes(` ${word}`))
}

/** A part of a text, and whether it is the beginning of a word for which was searched. */
interface MarkedPart {
  readonly text: string
  readonly isMarked: boolean
}

/** Splits a text into the parts that match the query and those between them. */
export function markedParts(text: string, query: readonly string[]): readonly MarkedPart[] {
  const letters = [...text]
  const marked = markedLetters(letters.map(foldLetter), query)
  const parts: { text: string; isMarked: boolean }[] = []
  for (const [at, letter] of letters.entries()) {
    const isMarked = marked[at] === true
    const last = parts.at(-1)
    if (last?.isMarked === isMarked) last.text += letter
    else parts.push({ text: letter, isMarked })
  }
  return parts
}

function markedLetters(plain: readonly string[], query: readonly string[]): readonly boolean[] {
  const marked = plain.map(() => false)
  const starts = [...plain.keys()].filter((at) => at === 0 || plain[at - 1] === " ")
  const pairs = starts.flatMap((start) => query.map((word) => ({ start, end: endOfMatch(plain, start, word) })))
  for (const { start, end } of pairs) {
    if (end !== undefined) marked.fill(true, start, end)
  }
  return marked
}

// Returns where the word ends in the letters, one of which may be several in the word: ß is ss.
function endOfMatch(plain: readonly string[], start: number, word: string): number | undefined {
  let matched = ""
  for (let at = start; at < plain.length && matched.length < word.length; at++) {
    matched += plain[at]
    if (matched.length >= word.length) return matched.startsWith(word) ? endOfLetter(plain, at + 1) : undefined
  }
  return undefined
}

// An accent that is a character of its own belongs to the letter before it.
function endOfLetter(plain: readonly string[], at: number): number {
  let end = at
  while (plain[end] === "") end++
  return end
}

function spaced(text: string): string {
  return [...text].map(foldLetter).join("")
}

function foldLetter(letter: string): string {
  const plain = letter
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
  if (SEPARATOR.test(plain)) return " "
  return LETTERS[plain] ?? plain
}
