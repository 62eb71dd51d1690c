import { createHash } from "node:crypto"

/** What is stored in place of a token: whoever reads the database cannot sign in with it. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("base64url")
}
