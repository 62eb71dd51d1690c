/** Returns a number with its noun, in the plural unless it is one: `3 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}
