import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { quote } from "../text/fragment.ts"

/**
 * The name of the table of files that may not belong to a record. Hooks that write to the table through `db` use this
 * name too.
 */
export const LOOSE_FILES = "_kit_files"

const TABLE = quote(LOOSE_FILES)

export function insertLooseFile(key: string, now: Date): Statement {
  return { text: `insert into ${TABLE} (key, stored_at) values ($1, $2) on conflict do nothing`, values: [key, now] }
}

export function deleteLooseFile(key: string): Statement {
  return { text: `delete from ${TABLE} where key = $1`, values: [key] }
}

/**
 * Selects the keys of files that were added before the time and that sort after `after`, the last key of the previous
 * page.
 */
export function listLooseFiles({ before, after, limit }: { before: Date; after: string; limit: number }): Statement {
  const text = `select key from ${TABLE} where stored_at < $1 and key > $2 order by key limit $3`
  return { text, values: [before, after, limit] }
}

/** Returns a row if a record has this file. Soft-deleted records are included. */
export function findFileOwner(resources: readonly Resource[], key: string): Statement {
  const owners = resources.map(({ table }) => `select 1 from ${quote(table)} where "key" = $1`)
  return { text: `${owners.join(" union all ")} limit 1`, values: [key] }
}
