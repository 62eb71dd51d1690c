import type { Connection } from "../../ports/database.ts"
import { type AppSchema, isSortable, type Resource, type ResourceField } from "../../schema/compile/resource.ts"
import { type Finding, ok, warn } from "./finding.ts"

// In a smaller table, Postgres reads all rows in some milliseconds.
const MIN_ROWS_FOR_INDEX = 100_000
/** A table that has been read completely less often may have been read by a backup, a migration or a report. */
const MIN_FULL_READS = 100
// To count this many rows takes much longer than to read a page of them.
const MIN_ROWS_FOR_TOTAL = 1_000_000
const MAX_PROPOSALS = 5

/** Proposes what makes the reads of large collections faster: indexes, and lists without an exact total. */
export async function checkLargeTables(connection: Connection, schema: AppSchema): Promise<readonly Finding[]> {
  const collections = schema.resources.filter(({ kind }) => kind === "collection")
  const { rows } = await connection.query({ text: STATISTICS, values: [collections.map(({ table }) => table)] })
  const known = new Map(
    rows.map(([table, count, scanned]) => [table, { rows: Number(count), scanned: Number(scanned) }]),
  )
  return collections.flatMap((resource) => {
    const statistics = known.get(resource.table)
    return statistics === undefined ? [] : largeTableFindings(resource, statistics)
  })
}

// About how many rows each of these tables has, and how many were read by scans of the whole table since the statistics of
// the database began.
const STATISTICS = `
  select c.relname, greatest(c.reltuples, 0)::float8, coalesce(s.seq_tup_read, 0)::float8
  from unnest($1::text[]) as _asked(name)
  join pg_class c on c.oid = to_regclass(quote_ident(_asked.name))
  left join pg_stat_user_tables s on s.relid = c.oid`

interface TableStatistics {
  /** About how many rows the table has. */
  readonly rows: number
  /** The number of rows that were read by scans of the whole table. */
  readonly scanned: number
}

/** Returns the findings about a collection's table. */
export function largeTableFindings(resource: Resource, { rows, scanned }: TableStatistics): readonly Finding[] {
  const size = `"${resource.name}" has about ${rows.toLocaleString("en")} records`
  const findings: Finding[] = []
  const fullReads = Math.floor(scanned / Math.max(rows, 1))
  const fix = proposalFor(resource)
  if (rows >= MIN_ROWS_FOR_INDEX && fullReads >= MIN_FULL_READS && fix !== undefined) {
    findings.push(warn(`${size}, all of which were read ${fullReads.toLocaleString("en")} times`, fix))
  }
  if (rows >= MIN_ROWS_FOR_TOTAL) {
    findings.push(ok(`${size}: a list counts all that match, unless it asks for total: false, "estimate" or { max }`))
  }
  return findings
}

function proposalFor(resource: Resource): string | undefined {
  const fields = [...resource.fields.values()].filter((field) => isProposed(resource, field))
  if (fields.length === 0) return undefined
  const compared = fields.filter(({ type }) => type.name !== "textarea").map(({ name }) => `{ fields: ["${name}"] }`)
  const texts = fields.filter(({ type }) => type.operators === "text").map(({ name }) => `"${name}"`)
  return [
    "Give an index to the fields by which requests filter or sort.",
    ...(compared.length > 0 ? [`For comparisons and orders: .indexes([${firstOf(compared)}]).`] : []),
    ...(texts.length > 0 ? [`For filters inside of texts: .index("contains") on ${firstOf(texts)}.`] : []),
  ].join(" ")
}

function firstOf(names: readonly string[]): string {
  return [...names.slice(0, MAX_PROPOSALS), ...(names.length > MAX_PROPOSALS ? ["…"] : [])].join(", ")
}

// Callers cannot name hidden fields. A boolean has too few values for an index of its own to help.
function isProposed({ indexes }: Resource, field: ResourceField): boolean {
  if (field.system || field.hidden || !field.isStored || field.type.name === "boolean") return false
  return isSortable(field) && !indexes.some(({ fields: [first] }) => first?.name === field.name)
}
