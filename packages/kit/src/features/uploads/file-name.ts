const MAX_CHARACTERS = 255
const NAMELESS = "file"
// Removed from names: invisible characters, and those that change the direction of the text after them.
const UNSEEN = /[\p{Cc}\p{Cs}\p{Co}\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]/gu

/** Cleans the name of a file for display. It is never used as a path. */
export function cleanFileName(given: string): string {
  const last = given.normalize("NFC").replace(UNSEEN, "").split(/[/\\]/).at(-1)?.trim() ?? ""
  const name = [...last].slice(0, MAX_CHARACTERS).join("")
  return /^\.*$/.test(name) ? NAMELESS : name
}

/** The Content-Disposition header: display or download the file, and under which name. */
export function contentDisposition(kind: "inline" | "attachment", filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_")
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, percentEncoded)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
