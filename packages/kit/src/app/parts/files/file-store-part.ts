import { resolve } from "node:path"
import { openDiskFiles } from "../../../drivers/files/disk-files.ts"
import type { FileStore } from "../../../ports/file-store.ts"
import type { AppInputs } from "../../app-inputs.ts"
import type { AppDefinition } from "../../definition/app-definition.ts"
import type { Part } from "../../part-list.ts"

/** The folder for uploaded files. Nothing is created in it before the first upload. */
export const fileStorePart: Part<Pick<AppInputs, "definition">, { readonly fileStore: FileStore }> = {
  open: ({ definition }) => ({ fileStore: openDiskFiles(filesFolder(definition)) }),
}

const DEFAULT_FOLDER = ".kit/files"

/** Returns the folder for uploaded files. */
export function filesFolder({ config, root }: Pick<AppDefinition, "config" | "root">): string {
  return resolve(root, config.storage?.folder ?? DEFAULT_FOLDER)
}
