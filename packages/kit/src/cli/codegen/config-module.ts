import { existsSync } from "node:fs"
import { join } from "node:path"
import { CONFIG_FILE } from "../../app/config.ts"

export const CONFIG_KEY = "config:app"

/** Where the settings are imported from, for an app that has some. */
export function configModule(root: string): readonly (readonly [string, string])[] {
  return existsSync(join(root, CONFIG_FILE)) ? [[CONFIG_KEY, `../${CONFIG_FILE.replace(/\.ts$/, "")}`]] : []
}
