import { resolve } from "node:path"
import { openDiskFiles } from "../../drivers/files/disk-files.ts"
import type { StorageWatch } from "../../engine/database/storage-watch.ts"
import { explainStoreErrors } from "../../features/uploads/explained-store.ts"
import { fileHooks } from "../../features/uploads/file-hooks.ts"
import { StoredFiles, type StoredFilesDependencies } from "../../features/uploads/stored-files.ts"
import type { FileStore } from "../../ports/file-store.ts"
import type { ResourceDefinition } from "../../schema/builders/definition.ts"
import type { Hooks } from "../../schema/builders/hooks.ts"
import type { AppDefinition } from "../definition/app-definition.ts"

type AppLocation = Pick<AppDefinition, "config" | "root">

/** Returns the folder for uploaded files. */
export function filesFolder({ config, root }: AppLocation): string {
  return resolve(root, config.storage?.folder ?? DEFAULT_FOLDER)
}

interface FilesDependencies extends Omit<StoredFilesDependencies, "store"> {
  readonly watch: Pick<StorageWatch, "explain">
}

const DEFAULT_FOLDER = ".kit/files"

/**
 * The uploaded files of an app. This object is created before the database, because the schema needs the hooks for
 * collections of files. The database is passed in later, by `open`.
 */
export class OpenFiles {
  readonly #folder: string
  #files: StoredFiles | undefined

  constructor({ config, root }: AppLocation) {
    this.#folder = filesFolder({ config, root })
  }

  hooksOf(definition: ResourceDefinition): Hooks {
    return fileHooks(definition, () => this.#requireOpen())
  }

  /** Opens the file store, without touching its folder before the first upload. */
  open({ watch, ...parts }: FilesDependencies): StoredFiles {
    const store = explainStoreErrors(openDiskFiles(this.#folder), (error) => watch.explain("files", error))
    this.#files = new StoredFiles({ ...parts, store })
    return this.#files
  }

  get store(): FileStore {
    return this.#requireOpen().store
  }

  #requireOpen(): StoredFiles {
    if (this.#files === undefined) throw new Error("The files of the app are not opened yet.")
    return this.#files
  }
}
