import { createHash } from "node:crypto"
import type { SchemaSnapshot } from "../../../sql/tables/snapshot.ts"
import type { Precondition } from "../../../sql/tables/step.ts"

/** A migration, read from its SQL file and its snapshot file. */
export interface Migration {
  /** The name of the migration's files. Migrations run in the order of their names. */
  readonly name: string
  readonly sql: string
  /** The schema snapshot of the tables after the migration has run. */
  readonly snapshot: SchemaSnapshot
  /**
   * The statements that `kit migrate create` wrote into the SQL file. Everything else in the file was added by hand.
   * Absent if an earlier version of kit wrote the files.
   */
  readonly statements?: readonly string[] | undefined
  /** The conditions that existing records must meet before the statements can run. */
  readonly preconditions?: readonly Precondition[] | undefined
}

/** Returns a checksum of a migration's SQL. It ignores the kind of line endings, because Git may rewrite them. */
export function checksumOf(sql: string): string {
  return createHash("sha256").update(sql.replaceAll("\r\n", "\n")).digest("hex")
}
