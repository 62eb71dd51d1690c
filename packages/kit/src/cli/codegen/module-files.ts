import { existsSync } from "node:fs"
import { join } from "node:path"
import { CONFIG_FILE } from "../../app/config/config.ts"

/** The kind of the entries in `Modules` that map a module to its file. */
export const FILE_KIND = "file"
/** The key of the entry in `Modules` for the configuration file. */
export const CONFIG_KEY = "config:app"

interface ModuleFile {
  readonly file: string
  readonly module: string
}

/** Returns the entries in `Modules` for the file of each module and, if the app has one, for the configuration file. */
export function moduleFiles(root: string, files: readonly ModuleFile[]): readonly (readonly [string, string])[] {
  const config = `../${CONFIG_FILE.replace(/\.ts$/, "")}`
  const settings = existsSync(join(root, CONFIG_FILE)) ? [[CONFIG_KEY, config] as const] : []
  return [...settings, ...files.map(({ file, module }) => [`${FILE_KIND}:${module}`, file] as const)]
}
