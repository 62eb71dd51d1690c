import { execFile } from "node:child_process"
import { readdir, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { promisify } from "node:util"

const WEB = resolve("examples/newsroom/web")
const BUILT_PAGE = join(WEB, "dist/index.html")
const VITE = resolve("node_modules/vite/bin/vite.js")
const CLIENT = resolve("packages/kit/dist/bundle/react.js")

/** Builds the pages of the newsroom, as its `npm run build:web` does, unless the last build is up to date. */
export async function buildNewsroomPages(): Promise<void> {
  const built = await changedAt(BUILT_PAGE)
  if (built > (await lastChange())) return
  // In this process, NODE_ENV would have Vite choose the development version of React.
  const env = { ...process.env, NODE_ENV: "production" }
  await promisify(execFile)(process.execPath, [VITE, "build", WEB, "--logLevel", "error"], { env })
}

async function lastChange(): Promise<number> {
  const entries = await readdir(WEB, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sources = files.filter((file) => !file.startsWith(join(WEB, "dist")))
  return Math.max(...(await Promise.all([CLIENT, ...sources].map(changedAt))))
}

/** Resolves to the time of the last change; 0 if there is no such file. */
async function changedAt(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? 0
}
