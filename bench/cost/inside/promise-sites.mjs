import { promiseHooks } from "node:v8"
import { median } from "../../harness/statistics.mjs"

const WARM_UP = 200
const REQUESTS = 50
const FRAMES = 12
const OWN_FOLDER = new URL("..", import.meta.url).href
// Where a promise is made by `then`, by Node or by this tool, its place is the frame that has called them.
const NOT_A_PLACE = ["(<anonymous>)", "node:", OWN_FOLDER]

/** @typedef {{ site: string, count: number }} Site where promises are made, and how many of them per request */

/**
 * Lists where the promises of a request are made, in the order in which it makes them.
 *
 * @param {import("./count-costs.mjs").Running} running
 * @returns {Promise<Site[]>}
 */
export async function listSites({ sender }) {
  await sender.run(WARM_UP)
  /** How many promises each request has made at each place. @type {Map<string, Uint16Array>} */
  const counts = new Map()
  let request = 0
  Error.stackTraceLimit = FRAMES
  const stop = promiseHooks.onInit(() => {
    const site = siteOf(String(new Error().stack))
    const made = counts.get(site) ?? new Uint16Array(REQUESTS)
    counts.set(site, made)
    made[request] += 1
  })
  await sender.run(REQUESTS, () => {
    request += 1
  })
  stop()
  const sites = [...counts].map(([site, made]) => ({ site, count: median(made) }))
  return sites.filter(({ count }) => count > 0)
}

/** @param {string} stack */
function siteOf(stack) {
  // The first line is the message, the second the hook itself.
  const frames = stack.split("\n").slice(2)
  const found = frames.find((frame) => !NOT_A_PLACE.some((part) => frame.includes(part)))
  return (found ?? frames[0] ?? "unknown").trim().replace(/^at /, "")
}
