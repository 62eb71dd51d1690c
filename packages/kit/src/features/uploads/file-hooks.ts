import type { ResourceDefinition } from "../../schema/builders/definition.ts"
import type { Hooks } from "../../schema/builders/hooks.ts"
import { LOOSE_FILES } from "../../sql/internal/loose-files.ts"
import type { KeptFiles } from "./kept-files.ts"

/** What is used of `db`. */
interface Notes {
  insertInto(table: string): { values(row: { key: string; noted_at: Date }): Note }
}

interface Note {
  onConflict(rule: (conflict: { doNothing(): unknown }) => unknown): { execute(): Promise<unknown> }
}

/** Lets the file of a record go with it, once that is certain; a deleted record that is kept keeps its file. */
export function fileHooks({ options }: ResourceDefinition, files: () => KeptFiles): Hooks {
  return {
    afterDelete: async ({ operation, original, db, onAfterCommit }) => {
      if (options.softDelete && operation === "delete") return
      const key = String(original["key"])
      // The table is the framework's own: the types of an app's tables do not know it.
      const notes = (db as unknown as Notes).insertInto(LOOSE_FILES)
      const note = notes.values({ key, noted_at: files().now() })
      await note.onConflict((conflict) => conflict.doNothing()).execute()
      onAfterCommit(() => files().remove(key))
    },
  }
}
