import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { openDatabases, withClient } from "../harness/databases.mjs"
import { showStep } from "../harness/progress.mjs"
import { seedSession } from "../harness/seeded-session.mjs"
import { startKit, startProgram } from "../harness/servers.mjs"
import { generatedTexts, pick, randomFrom, vocabulary } from "./generated-text.mjs"

export const DOCUMENTS = 100_000
export const WORDS = vocabulary(24_000)
/** The user of the seeded session, who may read every second document. */
export const READER = "00000000-0000-7000-8000-00000000b001"
const OTHER = "00000000-0000-7000-8000-00000000b00f"
const SECTIONS = ["north", "south", "east", "west", "sport", "culture", "money", "science"]
const KINDS = ["news", "report", "letter", "notice"]
const ROWS_PER_STATEMENT = 500
const INDEX_LIMIT_MS = 600_000

/**
 * Starts kit and the server written by hand on one database with the documents. `kept` is a database with the documents
 * of an earlier run, or an empty one; unless set, a database is made for this run.
 *
 * @param {import("../harness/cleanup.mjs").Cleanup} cleanup
 * @param {{ count: number, kept?: string | undefined }} options
 */
export async function serveDocuments(cleanup, { count, kept }) {
  const url = kept ?? (await openDatabases(cleanup)).kit
  const place = { url, cleanup, app: "bench/search/apps/documents", firstCall: "/health" }
  const kit = await startKit(place)
  if (!(await hasDocuments(url))) {
    await seedSession(url)
    showStep(`storing ${count} documents`)
    await storeDocuments(url, count)
  }
  showStep("waiting for the index")
  await waitForIndex(url)
  const raw = await startProgram(place, fileURLToPath(new URL("./hand-written-server.mjs", import.meta.url)))
  return { url, ports: { kit: kit.port, raw: raw.port } }
}

/** @param {string} url */
async function hasDocuments(url) {
  let has = false
  await withClient(url, async (client) => {
    has = (await client.query("select exists (select from documents) as has")).rows[0].has
  })
  return has
}

/** Stores the documents on two connections, because the index is made by the insert. @param {string} url @param {number} count */
async function storeDocuments(url, count) {
  const parts = documentParts(count)
  const store = () =>
    withClient(url, async (client) => {
      for (const part of parts) await insertPart(client, part)
    })
  await Promise.all([store(), store()])
  await withClient(url, async (client) => {
    await client.query("alter table documents set (autovacuum_enabled = false)")
    await client.query("vacuum analyze")
  })
}

/** Returns the texts of the first documents, in order; the reader may read the first, the third and so on. @param {number} count */
export function documentTexts(count) {
  return generatedTexts({ count, words: WORDS, bodyWords: 150, wordsInTurn: 4, seed: 2 })
}

/** @param {number} count */
function* documentParts(count) {
  const random = randomFrom(5)
  let part = []
  let number = 0
  for (const { title, body } of documentTexts(count)) {
    const owner = number % 2 === 0 ? READER : OTHER
    part.push([number, title, body, owner, pick(SECTIONS, random), pick(KINDS, random), 2010 + random(16)])
    number += 1
    if (part.length < ROWS_PER_STATEMENT && number < count) continue
    yield part
    part = []
  }
}

/** @param {pg.Client} client @param {unknown[][]} part */
async function insertPart(client, part) {
  const columns = [0, 1, 2, 3, 4, 5, 6].map((index) => part.map((row) => row[index]))
  await client.query(
    `insert into documents (id, title, body, owner, section, kind, year, "createdAt", "updatedAt")
     select md5(number::text)::uuid, title, body, owner, section, kind, year, time, time
     from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[])
       as document (number, title, body, owner, section, kind, year),
       lateral (select timestamptz '2026-01-01' + number * interval '1 second' as time) times`,
    columns,
  )
}

/** Waits until nothing is left to do after the writes, so that no background work disturbs. @param {string} url */
export async function waitForIndex(url) {
  const giveUpAt = performance.now() + INDEX_LIMIT_MS
  await withClient(url, async (client) => {
    while (performance.now() < giveUpAt) {
      const { rows } = await client.query("select exists (select from _kit_search_queue) as waiting")
      if (!rows[0].waiting) return client.query("vacuum analyze")
      await delay(500)
    }
    throw new Error("The work on the index did not end.")
  })
}
