const TEXT_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    html: "text/html",
    htm: "text/html",
    css: "text/css",
    js: "text/javascript",
    mjs: "text/javascript",
    json: "application/json",
    // This file has no extension, but iOS asks for it by this name.
    "apple-app-site-association": "application/json",
    map: "application/json",
    webmanifest: "application/manifest+json",
    svg: "image/svg+xml",
    txt: "text/plain",
    md: "text/markdown",
    csv: "text/csv",
    xml: "application/xml",
    rss: "application/rss+xml",
  }),
)

const OTHER_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    wasm: "application/wasm",
    png: "image/png",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    avif: "image/avif",
    ico: "image/x-icon",
    woff: "font/woff",
    woff2: "font/woff2",
    ttf: "font/ttf",
    otf: "font/otf",
    pdf: "application/pdf",
    mp3: "audio/mpeg",
    mp4: "video/mp4",
    webm: "video/webm",
  }),
)

// A browser asks for such a file again only if a page names it again, so the name has to change with the content.
const FOREVER = "public, max-age=31536000, immutable"
const ASK_EACH_TIME = "no-cache"

/** Returns the headers of every response with this file, for every caller. */
export function fileHeaders(name: string): Record<string, string> {
  const type = contentTypeOf(name)
  const isPage = type.startsWith("text/html")
  return {
    "content-type": type,
    "cache-control": !isPage && hasHash(name) ? FOREVER : ASK_EACH_TIME,
    // Pages of other origins may show these files, as with any public web server.
    "cross-origin-resource-policy": "cross-origin",
    // This is the default of browsers. The API's `no-referrer` would hide the origin of forms from the app.
    "referrer-policy": "strict-origin-when-cross-origin",
    // A page of another site cannot put this page into a frame and have the visitor click in it.
    ...(isPage && { "content-security-policy": "frame-ancestors 'self'" }),
    ...(isText(name) && { vary: "Accept-Encoding" }),
  }
}

/** Returns the content type of a file with this name. */
export function contentTypeOf(name: string): string {
  const extension = extensionOf(name)
  const text = TEXT_TYPES.get(extension)
  return text === undefined ? (OTHER_TYPES.get(extension) ?? "application/octet-stream") : `${text}; charset=utf-8`
}

/** True if the file consists of text, so that compressing it makes it shorter. */
export function isText(name: string): boolean {
  return TEXT_TYPES.has(extensionOf(name))
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase()
}

// The last part of a name: eight characters as Vite, Rollup and esbuild write them, or a hexadecimal number.
const SHORT_HASH = /[.-]([\w-]{8})\.[a-z\d]+(?:\.map)?$/i
const HEX_HASH = /[.-]([\da-f]{8,64})\.[a-z\d]+(?:\.map)?$/

/**
 * True if the name contains a hash of the content, as bundlers write it: `index-4f9c01ab.js`, `app.Bx7Qk2Lm.css`. A
 * word, a date or both are none (`touch-icon.png`, `Report24.pdf`), because a wrong guess would keep an old file in
 * browsers for a year. A hash that is not recognized only has browsers ask whether the file has changed.
 */
function hasHash(name: string): boolean {
  const hex = HEX_HASH.exec(name)?.[1] ?? ""
  const short = SHORT_HASH.exec(name)?.[1] ?? ""
  const isMixed = /\d/.test(short) && /[a-z]/.test(short) && /[A-Z]/.test(short)
  return (/\d/.test(hex) && /[a-f]/.test(hex)) || (isMixed && !/^[A-Z]?[a-z]+\d+$/.test(short))
}
