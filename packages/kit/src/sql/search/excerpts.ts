// The characters that mark words. They are removed from the text of records, so that nothing in it looks like a mark.
export const START = "\u0002"
export const STOP = "\u0003"

const MAX_EXCERPTS = 3
// The length of an excerpt, in characters: that of the marked words themselves, and the text around them.
const MAX_MARKED_CHARACTERS = 100
const CONTEXT_CHARACTERS = 60
// How far a cut may be moved so that it is between two words.
const MAX_SHIFT = 30
// A text may have thousands of the words. What comes after these would be left out anyway.
const MAX_MARKS = 2_000

interface Mark {
  readonly from: number
  readonly to: number
  readonly word: string
}

/** Marked words that are near each other, with the text around them. */
interface Excerpt {
  readonly from: number
  readonly to: number
  /** The number of different words. */
  readonly words: number
}

/** Returns the parts of a long marked text in which most of the different marked words are, in the order of the text. */
export function excerptsOf(marked: string): readonly string[] {
  const marks = marksOf(marked)
  const possible = excerptsAt(marks)
  const chosen: Excerpt[] = []
  for (let count = 0; count < MAX_EXCERPTS; count++) {
    const next = possible.reduce<Excerpt | undefined>(
      (best, each) => (each.words > (best?.words ?? 0) && !chosen.some(overlaps(each)) ? each : best),
      undefined,
    )
    if (next === undefined) break
    chosen.push(next)
  }
  return chosen.sort((left, right) => left.from - right.from).map((each) => cut(marked, each, marks))
}

function marksOf(marked: string): readonly Mark[] {
  const marks: Mark[] = []
  let from = marked.indexOf(START)
  while (from !== -1 && marks.length < MAX_MARKS) {
    const stop = marked.indexOf(STOP, from)
    const to = stop === -1 ? marked.length : stop + 1
    marks.push({ from, to, word: marked.slice(from + 1, to - 1).toLowerCase() })
    from = marked.indexOf(START, to)
  }
  return marks
}

// For each mark, the excerpt that begins with it and has as many of the next ones as fit.
function excerptsAt(marks: readonly Mark[]): readonly Excerpt[] {
  const counts = new Map<string, number>()
  const count = (word: string, by: number) => {
    const sum = (counts.get(word) ?? 0) + by
    if (sum === 0) counts.delete(word)
    else counts.set(word, sum)
  }
  let end = 0
  return marks.map((first) => {
    for (let next = marks[end]; next && fits(first, next); next = marks[end]) {
      count(next.word, 1)
      end += 1
    }
    const words = counts.size
    count(first.word, -1)
    const last = marks[end - 1] ?? first
    return { from: first.from - CONTEXT_CHARACTERS, to: last.to + CONTEXT_CHARACTERS, words }
  })
}

function fits(first: Mark, next: Mark): boolean {
  return next === first || next.to - first.from <= MAX_MARKED_CHARACTERS
}

function overlaps(one: Excerpt): (other: Excerpt) => boolean {
  return (other) => one.from < other.to && other.from < one.to
}

// Cuts between two words if there is a space near, and never within a mark.
function cut(marked: string, { from, to }: Excerpt, marks: readonly Mark[]): string {
  const start = from <= 0 ? 0 : afterSpace(marked, from)
  const end = to >= marked.length ? marked.length : beforeSpace(marked, to)
  const atStart = marks.find((mark) => mark.from < start && start < mark.to)
  const atEnd = marks.find((mark) => mark.from < end && end < mark.to)
  return marked.slice(atStart?.from ?? start, atEnd?.to ?? end).replace(HALF_CHARACTER, "")
}

// The half of a character of two code units that a cut leaves.
const HALF_CHARACTER = /^[\udc00-\udfff]|[\ud800-\udbff]$/g

function afterSpace(text: string, from: number): number {
  const shift = text.slice(from, from + MAX_SHIFT).search(/\s/)
  return shift === -1 ? from : from + shift + 1
}

function beforeSpace(text: string, to: number): number {
  const shift = text.slice(to - MAX_SHIFT, to).search(/\s\S*$/)
  return shift === -1 ? to : to - MAX_SHIFT + shift
}
