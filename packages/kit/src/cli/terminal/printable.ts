/** Escapes control characters, so that text that other people have written cannot control the terminal. */
export function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  })
}
