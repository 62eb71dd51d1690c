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

/** Returns the word itself and every text that is left of it without one of its letters. */
export function withDeletions(word: string): readonly string[] {
  const letters = [...word]
  return [...new Set([word, ...letters.map((_, place) => letters.toSpliced(place, 1).join(""))])]
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  const differing = left.findIndex((letter, place) => letter !== right[place])
  return differing === -1 ? left.length : differing
}

function commonEnd(left: readonly string[], right: readonly string[]): number {
  return commonStart(left.toReversed(), right.toReversed())
}
