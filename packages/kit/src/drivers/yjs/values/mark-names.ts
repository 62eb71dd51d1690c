import { createHash } from "node:crypto"
import * as Y from "yjs"
import type { RichTextMark } from "./rich-text-node.ts"

const HASHED_NAME = /^(.*)--[a-zA-Z0-9+/=]{8}$/s
const HASH_BYTES = 6

/**
 * Returns the type of the mark that a format's key stands for. A text can have several marks of the same type; their
 * keys then end with a hash.
 */
export function markNameOf(key: string): string {
  return HASHED_NAME.exec(key)?.[1] ?? key
}

/** True if the key of a format ends with a hash. */
export function isHashedName(key: string): boolean {
  return HASHED_NAME.test(key)
}

/** Returns the key of a mark's format for a text that can have several marks of this type, as y-prosemirror does. */
export function hashedName({ type, attrs }: RichTextMark): string {
  const encoder = new Y.UpdateEncoderV1()
  encoder.writeAny(attrs === undefined ? { type } : { type, attrs })
  const digest = createHash("sha256").update(encoder.toUint8Array()).digest()
  const folded = Buffer.alloc(HASH_BYTES)
  for (const [place, byte] of digest.entries()) folded[place % HASH_BYTES] = (folded[place % HASH_BYTES] ?? 0) ^ byte
  return `${type}--${folded.toString("base64")}`
}
