import { promisify } from "node:util"
import { brotliCompress, constants, gzip, gzipSync } from "node:zlib"
import type { MaybePromise } from "../../schema/context/when-ready.ts"
import type { Coding } from "./accepted-coding.ts"

// Up to this length, gzip takes at most 0.3 ms, and makes fewer bytes than brotli in the same time. Another thread would
// add 0.2 ms, for the way there and back.
const MAX_SHORT_LENGTH = 16 * 1024

// A page of 200 KB of articles is 31.2 % of its length after 3.7 ms with level 4, and 30.1 % after 5.7 ms with level 6.
const GZIP = { level: 4, chunkSize: 64 * 1024 }
// The same page is 30.5 % after 2.9 ms with quality 3, and 29.7 % after 4.4 ms with quality 4.
const BROTLI = {
  chunkSize: 64 * 1024,
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}

const FOR_SHORT: readonly Coding[] = ["gzip", "br"]
const FOR_LONG: readonly Coding[] = ["br", "gzip"]

const gzipInThread = promisify(gzip)
const brotliInThread = promisify(brotliCompress)

/** Returns the codings for a body of this length, the best first. */
export function codingsFor(body: string | Uint8Array): readonly Coding[] {
  return isShort(body) ? FOR_SHORT : FOR_LONG
}

/** Compresses a body. A long one is compressed in another thread, so that other requests continue. */
export function compress(body: string | Uint8Array, coding: Coding): MaybePromise<Uint8Array> {
  if (coding === "br") return brotliInThread(body, BROTLI)
  return isShort(body) ? gzipSync(body, GZIP) : gzipInThread(body, GZIP)
}

function isShort({ length }: string | Uint8Array): boolean {
  return length <= MAX_SHORT_LENGTH
}
