/** A line that shows what steers a terminal instead of doing it: it may hold what somebody else has written. */
export function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  })
}
