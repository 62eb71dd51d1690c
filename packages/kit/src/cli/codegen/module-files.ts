import { existsSync } from "node:fs"
import { join } from "node:path"
import { CONFIG_FILE } from "../../app/config/config.ts"

/** Where `Modules` says which file a module is. */
export const FILE_KIND = "file"
/** Where it says which module holds the settings. */
export const CONFIG_KEY = "config:app"

interface ModuleFile {
  readonly file: string
  readonly module: string
}

/** The file of each module, and of the settings for an app that has some. */
export function moduleFiles(root: string, files: readonly ModuleFile[]): readonly (readonly [string, string])[] {
  const config = `../${CONFIG_FILE.replace(/\.ts$/, "")}`
  const settings = existsSync(join(root, CONFIG_FILE)) ? [[CONFIG_KEY, config] as const] : []
  return [...settings, ...files.map(({ file, module }) => [`${FILE_KIND}:${module}`, file] as const)]
}
