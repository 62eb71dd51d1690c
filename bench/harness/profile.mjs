import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const SHOWN_FUNCTIONS = 25
// Node names a profile by process, thread and sequence number; loader threads write their own profiles.
const MAIN_THREAD = /\.0\.\d+\.cpuprofile$/
const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/** @param {string} folder */
export function profileOptions(folder) {
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`]
}

/** Prints the functions in which the server itself spent the most time. @param {string} folder */
export async function printProfile(folder) {
  const name = (await readdir(folder)).find((file) => MAIN_THREAD.test(file))
  if (name === undefined) throw new Error("The server has left no profile.")
  const profile = JSON.parse(await readFile(join(folder, name), "utf8"))
  const times = selfTimes(profile)
  const busy = [...times].filter(([place]) => !place.startsWith("(idle)"))
  const total = busy.reduce((sum, [, time]) => sum + time, 0)
  console.log(`Self time of the kit server, of ${(total / 1e6).toFixed(1)} s busy:`)
  for (const [place, time] of busy.sort(([, left], [, right]) => right - left).slice(0, SHOWN_FUNCTIONS)) {
    console.log(`${((time / total) * 100).toFixed(1).padStart(6)} %  ${place}`)
  }
  console.log("")
}

/** Returns microseconds by source position. @param {any} profile */
function selfTimes({ nodes, samples, timeDeltas }) {
  const places = new Map(nodes.map((node) => [node.id, placeOf(node.callFrame)]))
  /** @type {Map<string, number>} */
  const times = new Map()
  for (const [index, id] of samples.entries()) {
    const place = places.get(id)
    times.set(place, (times.get(place) ?? 0) + timeDeltas[index])
  }
  return times
}

/** @param {{ functionName: string, url: string, lineNumber: number }} frame */
function placeOf({ functionName, url, lineNumber }) {
  const name = functionName || "(anonymous)"
  if (url === "") return name
  const path = url.startsWith("file:") ? fileURLToPath(url).replace(ROOT, "") : url
  return `${name}  ${path}:${lineNumber + 1}`
}
