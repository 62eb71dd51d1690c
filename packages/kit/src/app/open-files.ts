import { resolve } from "node:path"
import { openDiskFiles } from "../drivers/disk-files.ts"
import { fileHooks } from "../features/uploads/file-hooks.ts"
import { KeptFiles, type KeptFilesParts } from "../features/uploads/kept-files.ts"
import type { ResourceDefinition } from "../schema/definition.ts"
import type { Hooks } from "../schema/hooks.ts"
import type { AppDefinition } from "./app-definition.ts"

const DEFAULT_FOLDER = ".kit/files"

/** The files of an app: its hooks are part of the schema, and so there before the database that they need. */
export class OpenFiles {
  readonly #folder: string
  #kept: KeptFiles | undefined

  constructor({ config, root }: Pick<AppDefinition, "config" | "root">) {
    this.#folder = resolve(root, config.storage?.folder ?? DEFAULT_FOLDER)
  }

  hooksOf(definition: ResourceDefinition): Hooks {
    return fileHooks(definition, () => this.#opened())
  }

  /** Nothing is touched before the first file comes. */
  open(parts: Omit<KeptFilesParts, "store">): KeptFiles {
    this.#kept = new KeptFiles({ ...parts, store: openDiskFiles(this.#folder) })
    return this.#kept
  }

  #opened(): KeptFiles {
    if (this.#kept === undefined) throw new Error("The files of the app are not opened yet.")
    return this.#kept
  }
}
