import { createHash } from "node:crypto"
import { vector } from "@electric-sql/pglite-pgvector"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { embedderOf } from "../../../src/drivers/embedders/embedder-of.ts"
import { openPostgres } from "../../../src/drivers/postgres/open-postgres.ts"
import { type OpenVectors, openVectors } from "../../../src/features/search/vectors/open-vectors.ts"
import { prepareVectors } from "../../../src/features/search/vectors/prepare-vectors.ts"
import type { Database } from "../../../src/ports/database.ts"
import { collection } from "../../../src/schema/builders/collection.ts"
import { compileSchema } from "../../../src/schema/compile/compile.ts"
import type { Resource } from "../../../src/schema/compile/resource.ts"
import { EVERYTHING } from "../../../src/sql/filter/predicate.ts"
import { typedParseContext } from "../../../src/sql/parse/parse-context.ts"
import { parseWhere } from "../../../src/sql/parse/parse-where.ts"
import { type ScratchPostgres, startScratchPostgres } from "../../drivers/scratch-postgres.ts"
import { openPglite } from "./pglite-database.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(), open: f.boolean() }))
  .title("title")
  .searchable({})
  .options({ timestamps: false })

const DIMENSIONS = 8

// Equal texts have equal vectors, and different texts have vectors that have nothing to do with each other.
const embedder = embedderOf({
  model: "hash",
  dimensions: DIMENSIONS,
  minSimilarity: -0.5,
  embed: async (texts) => texts.map((text) => (text === "zero" ? new Float32Array(DIMENSIONS) : hashVector(text))),
})

function hashVector(text: string): Float32Array {
  const bytes = createHash("sha256").update(text).digest()
  return Float32Array.from({ length: DIMENSIONS }, (_, place) => bytes.readInt32LE(place * 4) / 2 ** 31)
}

interface World {
  readonly database: Database
  readonly vectors: OpenVectors
}

const records = Array.from({ length: 2_500 }, (_, place) => ({
  id: uuidOf(place),
  // Some records have the same text.
  title: place === 7 ? "zero" : `text ${place % 2_000}`,
  open: place % 3 > 0,
}))
const resource = compilePosts()
const readable = parseWhere(resource, { open: true }, typedParseContext(EVERYTHING))

let byExtension: World
let inMemory: World

let server: ScratchPostgres

beforeAll(async () => {
  byExtension = await openWorld(await openPglite({ vector }))
  server = await startScratchPostgres()
  inMemory = await openWorld(openPostgres({ url: server.url }))
})

afterAll(async () => {
  await byExtension.database.close()
  await inMemory.database.close()
  await server.release()
})

describe("a database with pgvector", () => {
  test("stores vectors in a column of the extension, and others store bytes", async () => {
    expect(await prepareVectors(byExtension.database)).toBe("pgvector")
    expect(await prepareVectors(inMemory.database)).toBe("bytes")
  })

  test.each(["text 1", "text 77", "a query that no record has", "zero"])(
    "finds the same records in the same order as the index in memory (%s)",
    async (query) => {
      const expected = await nearest(inMemory, query)

      const found = await nearest(byExtension, query)

      expect(expected).toHaveLength(1000)
      expect(idsOf(found)).toEqual(idsOf(expected))
      for (const [place, { score }] of found.entries()) expect(score).toBeCloseTo(expected[place]?.score ?? 0, 5)
    },
  )

  test("finds the records with the same text first, in the order of their ids", async () => {
    const ids = records.filter(({ title, open }) => title === "text 77" && open).map(({ id }) => id)

    const [first, second, third] = await nearest(byExtension, "text 77")

    expect(ids).toHaveLength(2)
    expect([first, second]).toEqual(ids.sort().map((id) => ({ id, score: 1 })))
    expect(third?.score).toBeLessThan(1)
  })

  test("finds only readable records", async () => {
    const isOpen = new Map(records.map(({ id, open }) => [id, open]))

    for (const world of [byExtension, inMemory]) {
      const found = await nearest(world, "text 3")
      expect(found.every(({ id }) => isOpen.get(id))).toBe(true)
    }
  })

  test("stays within the limit", async () => {
    const all = await nearest(byExtension, "text 5")

    expect(await nearest(byExtension, "text 5", { limit: 3 })).toEqual(all.slice(0, 3))
    expect(idsOf(await nearest(inMemory, "text 5", { limit: 3 }))).toEqual(idsOf(all.slice(0, 3)))
  })
})

async function openWorld(database: Database): Promise<World> {
  const logger = { info: () => {}, warn: () => {}, error: () => {} }
  const vectors = await openVectors({ database, embedder, maxBytes: undefined, logger })
  await database.query({
    text: `create table posts (id uuid primary key, title text, open boolean, "_search_key" uuid)`,
    values: [],
  })
  await database.query({
    text: `insert into posts select id, title, open, md5(id::text || E'\\n' || title)::uuid
      from jsonb_to_recordset($1::jsonb) as r(id uuid, title text, open boolean)`,
    values: [JSON.stringify(records)],
  })
  const { signal } = new AbortController()
  await vectors.step.process({ resource, stage: undefined, ids: records.map(({ id }) => id), signal })
  return { database, vectors }
}

function nearest({ database, vectors }: World, query: string, { limit = 1000 } = {}) {
  return vectors.index.findNearest(database, { resource, key: "_search_key", readable, query, limit })
}

function idsOf(found: readonly { id: string }[]): string[] {
  return found.map(({ id }) => id)
}

// The ids are the same in every run, so that the order of records with nearly the same similarity is, too.
function uuidOf(place: number): string {
  const hash = createHash("md5").update(String(place)).digest("hex")
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

function compilePosts(): Resource {
  const compiled = compileSchema([{ file: "posts", definition: posts.definition }], { search: { hasEmbedder: true } })
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  const found = compiled.schema.collections.get("posts")
  if (found === undefined) throw new Error("There is no collection posts.")
  return found
}
