import { realpath, stat } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { openDiskWebFolder } from "../../../drivers/files/disk-web-folder.ts"
import type { WebFolder } from "../../../ports/web-folder.ts"
import { CONFIG_FILE } from "../../config/config.ts"
import type { AppDefinition } from "../../definition/app-definition.ts"
import { AppMistakesError } from "../../definition/app-mistakes.ts"
import { filesFolder } from "./file-store-part.ts"

type ServedApp = Pick<AppDefinition, "config" | "root">

/** Returns the folder of the setting `web`; undefined if it is not set. */
export function webFolderOf({ config: { web }, root }: ServedApp): WebFolder | undefined {
  return web && openDiskWebFolder(resolve(root, web.dir))
}

/**
 * Throws if there is nothing to serve in the folder of the setting `web`, or if it contains the app or the uploaded
 * files. A server calls it before it starts.
 */
export async function requireWebFolder({ config, root }: ServedApp): Promise<void> {
  const { web } = config
  if (web === undefined) return
  const folder = resolve(root, web.dir)
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw webMistake(`there is no folder ${JSON.stringify(web.dir)}, which "web.dir" names`)
  if (await contains(folder, root)) throw showsTooMuch(web.dir, "the app itself, whose files")
  if (await contains(folder, filesFolder({ config, root })))
    throw showsTooMuch(web.dir, 'the uploaded files ("storage.folder"), which')
  const page = web.spa ? await stat(join(folder, "index.html")).catch(() => undefined) : found
  if (page === undefined) throw webMistake(`the folder ${JSON.stringify(web.dir)} of "web.dir" contains no index.html`)
}

/** Returns the paths that have to exist for the setting `web`: its folder, and `index.html` in it. */
export function webPathsOf({ config: { web }, root }: ServedApp): readonly string[] {
  if (web === undefined) return []
  const folder = resolve(root, web.dir)
  return [folder, join(folder, "index.html")]
}

async function contains(folder: string, inner: string): Promise<boolean> {
  const path = relative(await realFolder(folder), await realFolder(inner))
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

// Resolves the links in the path of a folder, which need not exist yet.
function realFolder(path: string): Promise<string> {
  return realpath(path).catch(async () => join(await realFolder(dirname(path)), basename(path)))
}

// Everyone can read the files of the folder, and their scripts run in the origin of the app. So the sources of the app and
// its uploaded files must not be among them.
function showsTooMuch(dir: string, what: string): AppMistakesError {
  const folder = `the folder ${JSON.stringify(dir)} of "web.dir" contains ${what} everyone could read`
  const message = `${folder}. Name the folder into which the web pages are built, such as "web/dist".`
  return new AppMistakesError([{ file: CONFIG_FILE, message }])
}

function webMistake(what: string): AppMistakesError {
  const message = `${what}. Build the web pages before the start, for example with "npx vite build", or correct the setting.`
  return new AppMistakesError([{ file: CONFIG_FILE, message }])
}
