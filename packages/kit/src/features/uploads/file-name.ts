const MAX_CHARACTERS = 255
const NAMELESS = "file"
// What a name is never shown with: what cannot be seen, and what turns the direction of the text that follows.
const UNSEEN = /[\p{Cc}\p{Cs}\p{Co}\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]/gu

/** The name of a file as people see it. It is shown and never used as a path. */
export function cleanFileName(given: string): string {
  const last = given.normalize("NFC").replace(UNSEEN, "").split(/[/\\]/).at(-1)?.trim() ?? ""
  const name = [...last].slice(0, MAX_CHARACTERS).join("")
  return /^\.*$/.test(name) ? NAMELESS : name
}

/** The header that tells a browser what to do with a file, and what to call it. */
export function contentDisposition(kind: "inline" | "attachment", filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_")
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, percentEncoded)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
