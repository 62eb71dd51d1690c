import type { BulkSession } from "../../ports/bulk-session.ts"
import { CopyError } from "./copy-error.ts"

/** The journal's table; never copied itself. */
export const JOURNAL_TABLE = "_kit_copy"

/** An SQL condition that excludes objects of an extension; `create extension` makes them in the target. */
export function isNotOfExtension(catalog: string, oid: string): string {
  return `not exists (select from pg_depend member where member.classid = '${catalog}'::regclass
    and member.objid = ${oid} and member.deptype = 'e')`
}

/** Returns the schemas to copy: the named ones, or all except those of the server and of extensions. */
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
    throw new CopyError(`There is no schema "${missing.join('", "')}" to move. Known: ${found.join(", ")}.`)
  }
  return named.length > 0 ? named : found
}
