// Characters that nobody sees in a text, or that turn the order of those beside them: line separators, controls, marks of
// direction, the byte order mark.
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Writes a text as JSON does, in double quotes, and escapes what a reader of the code would not see. */
export function quotedText(text: string): string {
  return withVisibleCharacters(JSON.stringify(text))
}

/** Escapes what a reader would not see, in a text that is JSON or a string of JavaScript. */
export function withVisibleCharacters(code: string): string {
  return code.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
}
