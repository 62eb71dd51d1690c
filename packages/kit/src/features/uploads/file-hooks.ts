import type { ResourceDefinition } from "../../schema/definition.ts"
import type { Hooks } from "../../schema/hooks.ts"
import { LOOSE_FILES } from "../../sql/loose-files.ts"
import type { KeptFiles } from "./kept-files.ts"

/** Lets the file of a record go with it, once that is certain; a deleted record that is kept keeps its file. */
export function fileHooks({ options }: ResourceDefinition, files: () => KeptFiles): Hooks {
  return {
    afterDelete: async ({ operation, original, db, onAfterCommit }) => {
      if (options.softDelete && operation === "delete") return
      const key = String(original["key"])
      const note = db.insertInto(LOOSE_FILES).values({ key, noted_at: new Date() })
      await note.onConflict((conflict) => conflict.doNothing()).execute()
      onAfterCommit(() => files().remove(key))
    },
  }
}
