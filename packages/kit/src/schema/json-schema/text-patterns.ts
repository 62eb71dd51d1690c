/** The limits of a text's length, in characters. */
interface LengthLimits {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/**
 * Matches the texts that PostgreSQL can store: without U+0000 and without lone surrogates. As all patterns in a JSON
 * Schema, it is read with the flag `u`, with which a pair of surrogates is one character.
 */
export const STORABLE_TEXT = "^[^\\u0000\\uD800-\\uDFFF]*$"

/** Returns a pattern for texts that are within the limits after white space is removed at both ends. */
export function trimmedLengthPattern({ min = 0, max }: LengthLimits): string {
  if (max === 0) return "^\\s*$"
  const alternatives = [
    ...(min <= 0 ? ["\\s*"] : []),
    ...(min <= 1 ? ["\\s*\\S\\s*"] : []),
    ...(max === 1 ? [] : [`\\s*\\S[\\s\\S]{${Math.max(min - 2, 0)},${max === undefined ? "" : max - 2}}\\S\\s*`]),
  ]
  return `^(?:${alternatives.join("|")})$`
}
