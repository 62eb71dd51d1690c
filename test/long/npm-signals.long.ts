import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, describe } from "vitest"
import { testSignalsToNpm } from "../support/processes/npm-signals.ts"

const run = promisify(execFile)
const folders: string[] = []

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

// `npm test` has the installed npm only. These come from the registry.
describe.each(["10", "11"])("npm %s", (version) => {
  let fetched: Promise<string> | undefined
  const cli = () => {
    fetched ??= fetchNpm(version)
    return fetched
  }
  for (const shell of ["/bin/sh", "/bin/bash"]) testSignalsToNpm({ shell, cli })
})

/** Downloads the newest npm of this major version. Returns the path of its program. */
async function fetchNpm(version: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kit-npm-"))
  folders.push(folder)
  const { stdout } = await run("npm", ["pack", `npm@${version}`, "--silent"], { cwd: folder })
  await run("tar", ["xzf", stdout.trim()], { cwd: folder })
  return join(folder, "package/bin/npm-cli.js")
}
