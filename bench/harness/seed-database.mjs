import { AUTHORS, author, POSTS, post } from "../workload.mjs"
import { withClient } from "./databases.mjs"
import { authorId, createdAt, draw, postId } from "./seeded-values.mjs"

const ROWS_PER_STATEMENT = 1000

const AUTHOR_COLUMNS = { id: "uuid", name: "text", email: "text" }
const POST_COLUMNS = {
  id: "uuid",
  title: "text",
  slug: "text",
  body: "text",
  status: "text",
  views: "int",
  published: "boolean",
  publishedAt: "timestamptz",
  author: "uuid",
}
const TIMES = { createdAt: "timestamptz", updatedAt: "timestamptz" }

/**
 * Fills the tables of one database with the workload; every call stores the same rows.
 *
 * @param {string} url
 * @param {{ hasAuthorTimes: boolean }} shape
 */
export async function seedDatabase(url, { hasAuthorTimes }) {
  const authorColumns = hasAuthorTimes ? { ...AUTHOR_COLUMNS, ...TIMES } : AUTHOR_COLUMNS
  await withClient(url, async (client) => {
    await insertAll(client, { table: "authors", columns: authorColumns, records: seededAuthors() })
    await insertAll(client, { table: "posts", columns: { ...POST_COLUMNS, ...TIMES }, records: seededPosts() })
    // Otherwise autovacuum could run in the rounds of one side only.
    await client.query("alter table posts set (autovacuum_enabled = false)")
    await client.query("vacuum analyze")
  })
}

/**
 * Removes the records that have been created since the seeding, and the old versions of updated rows. The total of a list,
 * which live queries count too, would otherwise take longer the more a side has written before.
 *
 * @param {string} url
 */
export async function removeCreatedPosts(url) {
  await withClient(url, async (client) => {
    await client.query(`delete from posts where "createdAt" > $1`, [createdAt(POSTS)])
    await client.query("vacuum full posts")
    // Only this one marks the pages as visible to all, which index-only scans need.
    await client.query("vacuum analyze posts")
  })
}

function seededAuthors() {
  return Array.from({ length: AUTHORS }, (_, number) => ({ id: authorId(number), ...author(number), ...times(number) }))
}

function seededPosts() {
  return Array.from({ length: POSTS }, (_, number) => ({
    id: postId(number),
    ...post(number, authorId(draw(number, AUTHORS))),
    ...times(number),
  }))
}

/** @param {number} number */
function times(number) {
  return { createdAt: createdAt(number), updatedAt: createdAt(number) }
}

/**
 * @param {import("pg").Client} client
 * @param {{ table: string, columns: Record<string, string>, records: Record<string, unknown>[] }} insert
 */
async function insertAll(client, { table, columns, records }) {
  const names = Object.keys(columns)
  const lists = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`)
  const quoted = names.map((name) => `"${name}"`)
  const text = `insert into ${table} (${quoted.join(", ")}) select * from unnest(${lists.join(", ")})`
  for (let from = 0; from < records.length; from += ROWS_PER_STATEMENT) {
    const part = records.slice(from, from + ROWS_PER_STATEMENT)
    await client.query(
      text,
      names.map((name) => part.map((record) => record[name])),
    )
  }
}
