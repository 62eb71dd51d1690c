import { createHash } from "node:crypto"

/** The hash that is stored instead of a token, so that a reader of the database cannot sign in with it. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("base64url")
}
