import { createHash, createHmac } from "node:crypto"
import { withClient } from "./databases.mjs"

/** Signs the sessions of the measured app. */
export const BENCH_SECRET = "a secret for the bench only, of 32 characters"

const TOKEN = "benchbenchbenchbenchbenchbench01"
const USER = "00000000-0000-7000-8000-00000000b001"
const SESSION = "00000000-0000-7000-8000-00000000b002"

/** The cookie of a signed-in user. */
export const SESSION_COOKIE = `kit.session_token=${encodeURIComponent(`${TOKEN}.${signature()}`)}`

/** Stores a user and a session that outlasts the run. @param {string} url */
export async function seedSession(url) {
  const hash = createHash("sha256").update(TOKEN).digest("base64url")
  await withClient(url, async (client) => {
    await client.query(
      `insert into users (id, name, email, "emailVerified", role, banned, "createdAt", "updatedAt")
        values ($1, 'Bench', 'bench@example.com', true, 'user', false, now(), now())`,
      [USER],
    )
    await client.query(
      `insert into _kit_sessions (id, "userId", token, "expiresAt", "createdAt", "updatedAt")
        values ($1, $2, $3, now() + interval '7 days', now(), now())`,
      [SESSION, USER, hash],
    )
  })
}

function signature() {
  return createHmac("sha256", BENCH_SECRET).update(TOKEN).digest("base64")
}
