import { createHash } from "node:crypto"

/**
 * Returns the hash that is stored instead of a token, so that a person who can read the database cannot sign in with
 * it.
 */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("base64url")
}
