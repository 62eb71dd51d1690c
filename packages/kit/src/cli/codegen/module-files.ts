import { existsSync } from "node:fs"
import { join } from "node:path"
import { CONFIG_FILE } from "../../app/config/config.ts"

/** The first part of those keys of the map `Modules` that stand for a module's file, such as "file:jobs/cleanup". */
export const FILE_KIND = "file"
/** The key of the configuration file in the map `Modules`. */
export const CONFIG_KEY = "config:app"

interface ModuleFile {
  readonly file: string
  readonly module: string
}

/** Returns entries for the map `Modules`: the file of each module and, if the app has one, the configuration file. */
export function moduleFiles(root: string, files: readonly ModuleFile[]): readonly (readonly [string, string])[] {
  const config = `../${CONFIG_FILE.replace(/\.ts$/, "")}`
  const settings = existsSync(join(root, CONFIG_FILE)) ? [[CONFIG_KEY, config] as const] : []
  return [...settings, ...files.map(({ file, module }) => [`${FILE_KIND}:${module}`, file] as const)]
}
