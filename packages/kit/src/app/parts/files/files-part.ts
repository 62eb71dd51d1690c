import { explainStoreErrors } from "../../../features/uploads/explained-store.ts"
import { StoredFiles } from "../../../features/uploads/stored-files.ts"
import type { Database } from "../../../ports/database.ts"
import type { FileStore } from "../../../ports/file-store.ts"
import type { Logger } from "../../../ports/logger.ts"
import type { AppSchema } from "../../../schema/compile/resource.ts"
import type { AppInputs } from "../../app-inputs.ts"
import type { Emitter } from "../../emitter.ts"
import type { Part } from "../../part-list.ts"
import type { DatabaseState } from "../database-part.ts"

interface FilesDependencies extends Pick<AppInputs, "now"> {
  readonly schema: AppSchema
  readonly deletedFiles: Emitter<string>
  readonly logger: Logger
  readonly fileStore: FileStore
  readonly database: Database
  readonly databaseState: Pick<DatabaseState, "storage">
}

/** The uploaded files, which are removed after their records. */
export const filesPart: Part<FilesDependencies, { readonly files: StoredFiles }> = {
  open: ({ schema, deletedFiles, logger, fileStore, database, databaseState: { storage }, now }) => {
    const store = explainStoreErrors(fileStore, (error) => storage.explain("files", error))
    const files = new StoredFiles({ store, schema, database, logger, now })
    deletedFiles.on((key) => files.remove(key))
    return { files }
  },
}
