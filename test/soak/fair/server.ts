import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { Socket } from "node:net"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"

const KIT = pathTo("../../../packages/kit/bin/kit.mjs")
const APP = pathTo("app")
const PROBE = new URL("probe.mjs", import.meta.url).href
const SECRET = "a secret of this experiment alone, long enough"
const KEPT_OUTPUT_CHARACTERS = 4_000
// The value with which the kernel resets the peak of the memory.
const FORGET_PEAK = "5"

interface Delay {
  readonly longestMs: number
  readonly longestOwnMs: number
  readonly slowdown: number
}

/** Starts one process of the app as its author would, with the probe in it. */
export async function startServer({ url, files }: { url: string; files: string }) {
  const args = ["--import", PROBE, KIT, "start", "--json", "--port", "0", "--host", "127.0.0.1"]
  const child = spawn(process.execPath, args, {
    cwd: APP,
    env: { ...process.env, DATABASE_URL: url, KIT_SECRET: SECRET, FAIR_FILES: files },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  })
  const { stdout, stderr } = child
  const probe = child.stdio[3]
  if (!stdout || !stderr || !(probe instanceof Socket)) throw new Error("The app has no pipes.")
  const output = keepOutput(stderr)
  const ready = await firstLine(stdout).catch((cause) => {
    throw new Error(`The app did not start.\n${output()}`, { cause })
  })
  const lines = createInterface({ input: probe })[Symbol.asyncIterator]()
  const status = `/proc/${child.pid}/status`
  return {
    url: String(JSON.parse(ready).url),
    /**
     * Returns the maximum delay of the event loop since the last call, by the clock and without the time in which other
     * processes had the CPU, and by what factor the process ran slower than it would alone.
     */
    readDelay: async (): Promise<Delay> => {
      probe.write("?\n")
      const { value } = await lines.next()
      return JSON.parse(value)
    },
    readMb: () => readMb(status, "VmRSS"),
    readPeakMb: () => readMb(status, "VmHWM"),
    forgetPeak: () => writeFile(`/proc/${child.pid}/clear_refs`, FORGET_PEAK),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGKILL")
      await once(child, "exit")
    },
  }
}

async function readMb(file: string, name: string) {
  const [, kb = "0"] = new RegExp(`${name}:\\s+(\\d+)`).exec(await readFile(file, "utf8")) ?? []
  return Math.round(Number(kb) / 1024)
}

async function firstLine(stream: Readable) {
  const lines = createInterface({ input: stream })
  const [line] = await Promise.race([once(lines, "line"), once(lines, "close")])
  if (line === undefined) throw new Error("It ended before it was ready.")
  // Later log lines are not used, but the pipe has to be drained.
  stream.resume()
  return String(line)
}

function keepOutput(stream: Readable) {
  let output = ""
  stream.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-KEPT_OUTPUT_CHARACTERS)
  })
  return () => output
}

function pathTo(path: string) {
  return fileURLToPath(new URL(path, import.meta.url))
}
