const MAX_CHARACTERS = 255
const NAMELESS = "file"
// Characters that are removed from file names: invisible characters, and characters that change the text direction.
const UNSEEN = /[\p{Cc}\p{Cs}\p{Co}\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]/gu

/** Cleans a file name for display. The file name is never used as a file path. */
export function cleanFileName(given: string): string {
  const last = given.normalize("NFC").replace(UNSEEN, "").split(/[/\\]/).at(-1)?.trim() ?? ""
  const name = [...last].slice(0, MAX_CHARACTERS).join("")
  return /^\.*$/.test(name) ? NAMELESS : name
}

/**
 * Returns the Content-Disposition header, which says if a browser displays or downloads the file, and under which name.
 */
export function contentDisposition(kind: "inline" | "attachment", filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_")
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, percentEncoded)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
