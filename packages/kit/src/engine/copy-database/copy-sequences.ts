import type { BulkSession } from "../../ports/bulk-session.ts"
import { isNotOfExtension } from "./copy-scope.ts"

/**
 * Sets every sequence in the target database to its value in the source, including the sequences of identity columns.
 */
export async function copySequences(
  source: BulkSession,
  target: BulkSession,
  schemas: readonly string[],
): Promise<void> {
  const { rows } = await source.query({
    text: `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1::text[]) and c.relkind = 'S' and ${isNotOfExtension("pg_class", "c.oid")}`,
    values: [schemas],
  })
  for (const [name] of rows) {
    const { rows: found } = await source.query({
      text: `select last_value::text, is_called from ${String(name)}`,
      values: [],
    })
    await target.query({
      text: "select setval($1::text::regclass, $2::bigint, $3::boolean)",
      values: [name, ...(found[0] ?? [])],
    })
  }
}
