import { once } from "node:events"
import { createServer } from "node:net"
import { readVariable } from "../../app/config/environment.ts"
import { type Finding, fail, ok, warn } from "../../app/doctor/finding.ts"
import { findChange, readBuild } from "../sources/build-record.ts"
import { readHost, readPort, UsageError } from "../terminal/arguments.ts"
import type { ExaminedApp } from "./examined-app.ts"

const MIN_NODE = [20, 19] as const

export function checkNode(): readonly Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const [needed, neededMinor] = MIN_NODE
  const isNew = major > needed || (major === needed && minor >= neededMinor)
  if (isNew) return [ok(`Node ${process.versions.node}`)]
  return [fail(`Node ${process.versions.node} is too old`, `Install Node ${MIN_NODE.join(".")} or newer.`)]
}

export async function checkBuild({ root, isProduction }: ExaminedApp): Promise<readonly Finding[]> {
  const build = await readBuild(root)
  if (build === undefined) return [isProduction ? warn("there is no build", "Run kit build.") : ok("there is none")]
  const change = await findChange(root, build)
  if (change === undefined) return [ok("it is up to date")]
  return [warn(`${change.file} has changed since the build, so the sources are served`, "Run kit build again.")]
}

export async function checkPort(): Promise<readonly Finding[]> {
  const port = portOf()
  if (port === undefined) return [fail(`PORT is "${readVariable("PORT")}", which is not a port`, "Set a number.")]
  const server = createServer()
  try {
    server.listen(port, readHost(undefined))
    await once(server, "listening")
    return [ok(`${port} is free`)]
  } catch {
    return [warn(`${port} is taken; perhaps the app is running`, "Choose another with --port or PORT.")]
  } finally {
    server.close()
  }
}

function portOf(): number | undefined {
  try {
    return readPort(undefined)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}
