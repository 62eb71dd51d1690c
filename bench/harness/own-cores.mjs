import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"

const run = promisify(execFile)

/**
 * Gives the servers one core and the load another one, until the returned function is called. Otherwise the scheduler
 * often wakes the load on the core of the server that has just written to it, which then waits for its own readers.
 * Returns undefined where that is not possible: it needs Linux, its command `taskset` and two cores.
 *
 * @param {{ servers: readonly number[], load: number }} processes their ids
 * @returns {Promise<(() => Promise<void>) | undefined>}
 */
export async function separateCores({ servers, load }) {
  const all = await allowedCores()
  const [first, second] = all
  if (first === undefined || second === undefined) return undefined
  const shareAgain = async () => {
    // A process that has ended meanwhile needs no cores.
    for (const pid of [...servers, load]) await pin(pid, all).catch(() => {})
  }
  try {
    for (const pid of servers) await pin(pid, [first])
    await pin(load, [second])
    return shareAgain
  } catch {
    await shareAgain()
    return undefined
  }
}

/**
 * Pins the main thread. The threads that collect garbage or compile stay where there is room.
 *
 * @param {number} pid
 * @param {readonly number[]} cores
 */
async function pin(pid, cores) {
  await run("taskset", ["--cpu-list", "--pid", cores.join(","), String(pid)])
}

/** Returns the numbers of the cores that this process may use; none where the system has no such list. */
async function allowedCores() {
  const status = await readFile("/proc/self/status", "utf8").catch(() => "")
  const [, list = ""] = /^Cpus_allowed_list:\s*(\S+)/m.exec(status) ?? []
  return list.split(",").filter(Boolean).flatMap(coresOf)
}

/** Returns the cores of a range such as `0-3`, or of a single number. @param {string} range */
function coresOf(range) {
  const [from = Number.NaN, to = from] = range.split("-").map(Number)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
