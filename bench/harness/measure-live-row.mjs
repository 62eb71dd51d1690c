import { LiveLoad } from "./live-load.mjs"
import { join, ORDERS, summarize } from "./measure-row.mjs"

const SUBSCRIBERS = 1_000
// Writes per turn; each side has two turns in a round.
const FAN_OUTS = 5
const STREAMED_WRITES = 100

/**
 * Opens 1,000 subscribers of one query on each side, then writes to the sides alternately. It counts writes: each is
 * received by all subscribers before the next or, in a stream of writes, the last one is received by all.
 *
 * @param {Omit<import("./measure-row.mjs").Setting, "generator">} setting
 * @param {import("./rows.mjs").Row & { live: "fan-out" | "writes" }} row
 * @returns {Promise<import("./measure-row.mjs").RowResult>}
 */
export async function measureLiveRow({ ports, rounds, onRound }, { name, live }) {
  const load = new LiveLoad()
  const own = { kit: ports.kit, raw: ports.live }
  const atOnce = live === "writes"
  const writes = atOnce ? STREAMED_WRITES : FAN_OUTS
  const run = (side) => load.run({ port: own[side], subscribers: SUBSCRIBERS, writes, atOnce })
  try {
    await runRound(run, 0)
    const measured = []
    for (let round = 0; round < rounds; round += 1) {
      onRound(round + 1)
      measured.push(await runRound(run, round))
    }
    return summarize(name, measured)
  } finally {
    await load.stop()
  }
}

/** @param {(side: import("./rows.mjs").Side) => Promise<import("./load-generator.mjs").Figures>} run @param {number} number */
async function runRound(run, number) {
  /** @type {Record<import("./rows.mjs").Side, import("./load-generator.mjs").Figures[]>} */
  const turns = { kit: [], raw: [] }
  for (const side of ORDERS[number % 2]) turns[side].push(await run(side))
  return { kit: join(turns.kit), raw: join(turns.raw) }
}
