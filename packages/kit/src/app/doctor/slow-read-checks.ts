import type { Connection, ReadShape } from "../../ports/database.ts"
import type { AppSchema, Resource } from "../../schema/compile/resource.ts"
import { HAS_SLOW_READS, SELECT_SLOW_READS, type SlowReadsOfShape } from "../../sql/internal/slow-reads.ts"
import { type Finding, warn } from "./finding.ts"
import { type ProposedIndex, proposalsFor } from "./proposed-indexes.ts"

// In a smaller table, a read is slow for another reason than a missing index.
const MIN_ROWS = 10_000
const MAX_PROPOSALS = 10

export async function checkSlowReads(connection: Connection, schema: AppSchema): Promise<readonly Finding[]> {
  return (await proposeIndexes(connection, schema)).map(({ reason, advice }) => warn(reason, advice))
}

/** Returns the indexes that would serve the reads that were slow in this database, the slowest reads first. */
export async function proposeIndexes(connection: Connection, schema: AppSchema): Promise<readonly ProposedIndex[]> {
  const slow = await readSlowReads(connection)
  const large = slow.length === 0 ? new Map<string, Resource>() : await findLarge(connection, schema)
  const proposed = slow.flatMap((read) => {
    const resource = large.get(read.shape.resource)
    return resource === undefined ? [] : proposalsFor(resource, read)
  })
  const advice = proposed.map((index) => index.advice)
  return proposed.filter((index, place) => advice.indexOf(index.advice) === place).slice(0, MAX_PROPOSALS)
}

// The table is absent until this version of kit has started with the database.
async function readSlowReads(connection: Connection): Promise<readonly SlowReadsOfShape[]> {
  const existing = await connection.query(HAS_SLOW_READS)
  if (existing.rows[0]?.[0] !== true) return []
  const { rows } = await connection.query(SELECT_SLOW_READS)
  // The cast is safe: only kit writes the table.
  return rows.map(([shape, times, longestMs]) => ({
    shape: JSON.parse(String(shape)) as ReadShape,
    times: Number(times),
    longestMs: Number(longestMs),
  }))
}

async function findLarge(connection: Connection, schema: AppSchema): Promise<ReadonlyMap<string, Resource>> {
  const collections = schema.resources.filter(({ kind }) => kind === "collection")
  const { rows } = await connection.query({ text: LARGE, values: [collections.map(({ table }) => table), MIN_ROWS] })
  const large = new Set(rows.map(([table]) => table))
  return new Map(collections.filter(({ table }) => large.has(table)).map((resource) => [resource.name, resource]))
}

const LARGE = `
  select _asked.name from unnest($1::text[]) as _asked(name)
  join pg_class on oid = to_regclass(quote_ident(_asked.name)) where reltuples >= $2`
