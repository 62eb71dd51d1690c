/**
 * True if the text has more than `max` characters. A character is a Unicode code point, as in PostgreSQL and in JSON
 * Schema, so that an emoji counts once.
 */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && countCharacters(text, max + 1) > max
}

/** True if the text has fewer than `min` characters. */
export function isShorterThan(text: string, min: number): boolean {
  return text.length < min || (text.length < 2 * min && countCharacters(text, min) < min)
}

// Counts the characters of a text, but not further than `enough`, so that a long text costs no more than its limit.
function countCharacters(text: string, enough: number): number {
  let count = 0
  for (const _character of text) {
    count += 1
    if (count >= enough) break
  }
  return count
}
