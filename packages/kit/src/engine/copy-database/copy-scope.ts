import type { BulkSession } from "../../ports/bulk-session.ts"
import { CopyError } from "./copy-error.ts"

/** The table of the copy's journal. This table itself is never copied. */
export const JOURNAL_TABLE = "_kit_copy"

/**
 * Returns an SQL condition that excludes objects of an extension, because `create extension` creates them in the
 * target.
 */
export function isNotOfExtension(catalog: string, oid: string): string {
  return `not exists (select from pg_depend member where member.classid = '${catalog}'::regclass
    and member.objid = ${oid} and member.deptype = 'e')`
}

/**
 * Returns the PostgreSQL schemas to copy: the named schemas or, if none are named, all schemas except those that belong
 * to the server or to an extension.
 */
export async function readSchemas(session: BulkSession, named: readonly string[]): Promise<readonly string[]> {
  const { rows } = await session.query({
    text: `select n.nspname::text from pg_namespace n
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and ${isNotOfExtension("pg_namespace", "n.oid")}
      order by n.nspname collate "C"`,
    values: [],
  })
  const found = rows.map(([name]) => String(name))
  const missing = named.filter((name) => !found.includes(name))
  if (missing.length > 0) {
    throw new CopyError(`There is no schema "${missing.join('", "')}" to copy. Known: ${found.join(", ")}.`)
  }
  return named.length > 0 ? named : found
}
