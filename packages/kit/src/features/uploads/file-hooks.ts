import type { ResourceDefinition } from "../../schema/builders/definition.ts"
import type { Hooks } from "../../schema/builders/hooks.ts"
import { LOOSE_FILES } from "../../sql/internal/loose-files.ts"

/** The part of the query builder `db` that this file uses. */
interface LooseFileTable {
  insertInto(table: string): { values(row: { key: string; stored_at: Date }): LooseFileInsert }
}

interface LooseFileInsert {
  onConflict(rule: (conflict: { doNothing(): unknown }) => unknown): { execute(): Promise<unknown> }
}

interface FileHookDependencies {
  now(): Date
  /** Called with the key of a record's file after the deletion of the record is committed. */
  onDeleted(key: string): void
}

/**
 * Returns hooks that report the file of a deleted record, so that the file is removed. A soft-deleted record keeps its
 * file.
 */
export function fileHooks({ options }: ResourceDefinition, { now, onDeleted }: FileHookDependencies): Hooks {
  return {
    afterDelete: async ({ operation, original, db, onAfterCommit }) => {
      if (options.softDelete && operation === "delete") return
      const key = String(original["key"])
      // The cast is safe: the table exists, but it is internal, so an app's generated table types do not include it.
      const notes = (db as unknown as LooseFileTable).insertInto(LOOSE_FILES)
      const note = notes.values({ key, stored_at: now() })
      await note.onConflict((conflict) => conflict.doNothing()).execute()
      onAfterCommit(() => onDeleted(key))
    },
  }
}
