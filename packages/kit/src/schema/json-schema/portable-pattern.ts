/**
 * Returns the source of an equal pattern for the flag `u`, with which JSON Schema reads patterns and characters are code
 * points. Returns undefined if there is none.
 */
export function portablePattern({ source, flags }: RegExp): string | undefined {
  if (flags.replace("d", "").replace("u", "") !== "") return undefined
  const plain = flags.includes("u") ? source : withoutNeedlessEscapes(source)
  return isPattern(plain) ? plain : undefined
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp
  } catch {
    return false
  }
}

// Removes the backslash in front of characters that mean themselves. With the flag `u`, it would be an error.
function withoutNeedlessEscapes(source: string): string {
  return source.replace(/\\([\s\S])/g, (escaped, character: string) =>
    /[\w^$\\.*+?()[\]{}|/-]/.test(character) ? escaped : character,
  )
}
