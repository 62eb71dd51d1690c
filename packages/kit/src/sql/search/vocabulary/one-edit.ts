/**
 * True if one edit at most makes one word of the other: a letter is inserted, left out or replaced, or two neighbouring
 * letters are swapped. Letters are code points.
 */
export function isWithinOneEdit(left: string, right: string): boolean {
  const a = [...left]
  const b = [...right]
  const start = commonStart(a, b)
  const end = commonEnd(a.slice(start), b.slice(start))
  const restA = a.slice(start, a.length - end)
  const restB = b.slice(start, b.length - end)
  if (restA.length <= 1 && restB.length <= 1) return true
  const isPair = restA.length === 2 && restB.length === 2
  return isPair && restA[0] === restB[1] && restA[1] === restB[0]
}

/** The first letters of a word, and its last letters in reverse order. */
interface SharedEnds {
  readonly start: string
  readonly reversedEnd: string
}

/**
 * Returns the letters of which one edit leaves either the first or the last ones as they are: an edit concerns at most
 * two neighbouring letters, and these ends have all letters but one.
 */
export function sharedEnds(word: string): SharedEnds {
  const letters = [...word]
  const half = Math.ceil((letters.length - 1) / 2)
  return {
    start: letters.slice(0, half).join(""),
    reversedEnd: letters
      .slice(half + 1)
      .reverse()
      .join(""),
  }
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  const differing = left.findIndex((letter, place) => letter !== right[place])
  return differing === -1 ? left.length : differing
}

function commonEnd(left: readonly string[], right: readonly string[]): number {
  return commonStart(left.toReversed(), right.toReversed())
}
