import { promiseHooks } from "node:v8"
import { quantile } from "../../harness/statistics.mjs"

// Code is optimized during the first operations.
const RECORDED = { warmUp: 2_500, samples: 300, pauseMs: 0 }
// A live query rests after a run, for as long as the run took, and a process sends at most one notification of changes in
// 25 ms. After a pause each operation finds both at rest, and does the same.
const LIVE = { warmUp: 500, samples: 60, pauseMs: 60 }
// Whatever else the process does at times only adds to a sample, and so does the unused end of a page of the heap. Less
// than the truth are few: those with a garbage collection.
const UNDISTURBED = 0.25

/**
 * @typedef {{ promises: number, kilobytes: number, statements: number }} Costs of one operation
 * @typedef {object} Running an operation that can be repeated
 * @property {import("./request-sender.mjs").RequestSender} sender
 * @property {import("./recorded-socket.mjs").Recording} recording
 */

/**
 * Counts what one operation costs: what the lowest quarter of many samples does not exceed.
 *
 * @param {Running} running
 * @returns {Promise<Costs>}
 */
export async function countCosts({ sender, recording }) {
  const { warmUp, samples, pauseMs } = recording.isReplayed ? RECORDED : LIVE
  const growthOf = (/** @type {() => number} */ read) => sample(sender, { read, samples })
  await sender.run(warmUp)
  sender.pauseMs = pauseMs
  const bytes = await growthOf(() => process.memoryUsage().heapUsed)
  const statements = await growthOf(() => recording.statements)
  let made = 0
  const stop = promiseHooks.onInit(() => {
    made += 1
  })
  const promises = await growthOf(() => made)
  stop()
  return { promises, kilobytes: bytes / 1024, statements }
}

/**
 * Returns by how much a counter grows during an undisturbed operation.
 *
 * @param {import("./request-sender.mjs").RequestSender} sender
 * @param {{ read: () => number, samples: number }} counter
 */
async function sample(sender, { read, samples }) {
  const growths = new Float64Array(samples)
  let [index, before] = [0, read()]
  await sender.run(samples, () => {
    growths[index] = read() - before
    index += 1
    // Read again, so that reading is not part of the next sample.
    before = read()
  })
  return quantile(growths, UNDISTURBED)
}
