/** The number of bytes at the start of a file that suffice to detect its type. */
export const SNIFFED_BYTES = 4096

const OTHER = "application/octet-stream"

/** Returns the MIME type of a file, detected from its first bytes. The type that the sender declares is not used. */
export function contentType(head: Buffer): string {
  const found = SIGNATURES.find(({ matches }) => matches(head))
  if (found) return found.type
  const text = readText(head)
  return text === undefined ? OTHER : textType(text)
}

interface Signature {
  readonly type: string
  matches(head: Buffer): boolean
}

const SIGNATURES: readonly Signature[] = [
  { type: "image/png", matches: (head) => has(head, 0, "\x89PNG\r\n\x1a\n") },
  { type: "image/jpeg", matches: (head) => has(head, 0, "\xff\xd8\xff") },
  { type: "image/gif", matches: (head) => has(head, 0, "GIF87a") || has(head, 0, "GIF89a") },
  { type: "image/webp", matches: (head) => has(head, 0, "RIFF") && has(head, 8, "WEBP") },
  { type: "image/avif", matches: (head) => brandsOf(head).some((brand) => brand === "avif" || brand === "avis") },
  { type: "video/mp4", matches: (head) => MP4_BRANDS.test(brandsOf(head)[0] ?? "") },
  { type: "video/webm", matches: (head) => has(head, 0, "\x1aE\xdf\xa3") && head.subarray(0, 64).includes("webm") },
  { type: "application/pdf", matches: (head) => has(head, 0, "%PDF-") },
  { type: "audio/mpeg", matches: (head) => has(head, 0, "ID3") || isAudioFrame(head) },
  { type: "application/zip", matches: (head) => has(head, 0, "PK\x03\x04") || has(head, 0, "PK\x05\x06") },
]

const MP4_BRANDS = /^(?:iso[m2-9]|mp4[12]|avc1|M4V |dash|MSNV)$/

function has(head: Buffer, at: number, signature: string): boolean {
  return head.toString("latin1", at, at + signature.length) === signature
}

// Returns the brands in the `ftyp` box at the start of MP4 and AVIF files. The box holds its length, "ftyp", the main
// brand, the version and further brands.
function brandsOf(head: Buffer): string[] {
  if (head.length < 12 || !has(head, 4, "ftyp")) return []
  const end = Math.min(head.readUInt32BE(0), head.length, 256)
  const brands = [head.toString("latin1", 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString("latin1", at, at + 4))
  return brands
}

// True if the bytes start with an MP3 frame: MPEG 1 or 2, layer III, with a valid bit rate and a valid sample rate.
function isAudioFrame(head: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = head
  const isSync = first === 0xff && (second & 0xf6) === 0xf2
  return isSync && third >> 4 !== 0 && third >> 4 !== 15 && (third & 0x0c) !== 0x0c
}

// Decodes the start of a file as UTF-8; undefined if the file is not text. The start of a longer file may end in the
// middle of a character.
function readText(head: Buffer): string | undefined {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true })
    const text = decoder.decode(head.subarray(0, SNIFFED_BYTES), { stream: head.length >= SNIFFED_BYTES })
    return CONTROLS.test(text) ? undefined : text.trimStart()
  } catch {
    return undefined
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: text contains none of them.
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f]/
const HTML =
  /^<(?:!doctype html|html|head|title|meta|link|style|body|script|iframe|object|embed|form|img|table|div|span|font|h[1-6]|p|a|b|br|i)(?:[\s/>]|$)|^<!--/i
const PROLOGUE = /^<(?:\?xml|!--|!doctype svg)/i
const SVG_START = /<svg[\s/>]/i

// Returns the MIME type of a text file. Distinguishes files that a browser could run as a page (HTML, SVG, XML) from
// plain text.
function textType(text: string): string {
  if (/^<svg[\s/>]/i.test(text) || (PROLOGUE.test(text) && SVG_START.test(text))) return "image/svg+xml"
  if (/^<\?xml/i.test(text)) return "application/xml"
  return HTML.test(text) ? "text/html" : "text/plain"
}
