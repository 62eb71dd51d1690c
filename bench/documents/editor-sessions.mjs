import { createHash, createHmac } from "node:crypto"
import { withClient } from "../harness/databases.mjs"
import { BENCH_SECRET } from "../harness/seeded-session.mjs"

/** The number of signed-in editors. What one user may send in a second is limited, so each editor is another user. */
export const EDITORS = 40

/** Returns the cookie of an editor. The editors after the last begin again with the first. @param {number} number */
export function editorCookie(number) {
  const token = tokenOf(number % EDITORS)
  const signature = createHmac("sha256", BENCH_SECRET).update(token).digest("base64")
  return `kit.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}

/** Stores the editors, each with a session that outlasts the run. @param {string} url */
export async function seedEditors(url) {
  const numbers = Array.from({ length: EDITORS }, (_, number) => number)
  const hashes = numbers.map((number) => createHash("sha256").update(tokenOf(number)).digest("base64url"))
  await withClient(url, async (client) => {
    await client.query(
      `insert into users (id, name, email, "emailVerified", role, banned, "createdAt", "updatedAt")
       select md5(n::text)::uuid, 'Editor ' || n, n || '@example.com', true, 'user', false, now(), now()
       from unnest($1::int[]) n`,
      [numbers],
    )
    await client.query(
      `insert into _kit_sessions (id, "userId", token, "expiresAt", "createdAt", "updatedAt")
       select gen_random_uuid(), md5(n::text)::uuid, token, now() + interval '7 days', now(), now()
       from unnest($1::int[], $2::text[]) as session (n, token)`,
      [numbers, hashes],
    )
  })
}

/** @param {number} number */
function tokenOf(number) {
  return `editoreditoreditoreditoreditor${String(number).padStart(2, "0")}`
}
