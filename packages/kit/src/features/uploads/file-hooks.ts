import type { ResourceDefinition } from "../../schema/builders/definition.ts"
import type { Hooks } from "../../schema/builders/hooks.ts"
import { LOOSE_FILES } from "../../sql/internal/loose-files.ts"
import type { StoredFiles } from "./stored-files.ts"

/** The part of the query builder `db` that this file uses. */
interface LooseFileTable {
  insertInto(table: string): { values(row: { key: string; stored_at: Date }): LooseFileInsert }
}

interface LooseFileInsert {
  onConflict(rule: (conflict: { doNothing(): unknown }) => unknown): { execute(): Promise<unknown> }
}

/**
 * Returns hooks that delete a record's file after the deletion of the record is committed. A soft-deleted record keeps
 * its file.
 */
export function fileHooks({ options }: ResourceDefinition, files: () => StoredFiles): Hooks {
  return {
    afterDelete: async ({ operation, original, db, onAfterCommit }) => {
      if (options.softDelete && operation === "delete") return
      const key = String(original["key"])
      // The cast is safe: the table exists, but it is internal, so an app's generated table types do not include it.
      const notes = (db as unknown as LooseFileTable).insertInto(LOOSE_FILES)
      const note = notes.values({ key, stored_at: files().now() })
      await note.onConflict((conflict) => conflict.doNothing()).execute()
      onAfterCommit(() => files().remove(key))
    },
  }
}
