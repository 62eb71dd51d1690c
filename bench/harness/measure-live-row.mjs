import { LiveLoad } from "./live-load.mjs"
import { join, ORDERS, summarize } from "./measure-row.mjs"
import { separateCores } from "./own-cores.mjs"
import { showStep } from "./progress.mjs"

const SUBSCRIBERS = 1_000
// How many writes a turn has, and how often the sides take their turns in a round, two each. A fan-out is short, so the
// sides alternate with each of them: what disturbs the machine for longer disturbs both.
const FAN_OUTS = { writes: 1, repeats: 20 }
const STREAMED_WRITES = { writes: 100, repeats: 1 }

/**
 * @typedef {Omit<import("./measure-row.mjs").Setting, "generator"> & { livePids: readonly number[] }} LiveSetting
 * @typedef {(side: import("./rows.mjs").Side) => Promise<import("./load-generator.mjs").Figures>} Turn
 */

/**
 * Opens 1,000 subscribers of one query on each side, then writes to the sides alternately. It counts writes: each is
 * received by all subscribers before the next or, in a stream of writes, the last one is received by all.
 *
 * @param {LiveSetting} setting
 * @param {import("./rows.mjs").Row & { live: "fan-out" | "writes" }} row
 * @returns {Promise<import("./measure-row.mjs").RowResult>}
 */
export async function measureLiveRow({ ports, livePids, rounds, onRound }, { name, live }) {
  const load = new LiveLoad()
  const own = { kit: ports.kit, raw: ports.live }
  const atOnce = live === "writes"
  const { writes, repeats } = atOnce ? STREAMED_WRITES : FAN_OUTS
  const turn = (side) => load.run({ port: own[side], subscribers: SUBSCRIBERS, writes, atOnce })
  const shareCores = await separateCores({ servers: livePids, load: load.pid })
  if (!shareCores) showStep(`${name}: without cores of their own (Linux, taskset), the figures vary more`)
  try {
    // Warms both sides up: it has the length of a round, and is not counted.
    await runRound(turn, { number: 0, repeats })
    const measured = []
    for (let round = 0; round < rounds; round += 1) {
      onRound(round + 1)
      measured.push(await runRound(turn, { number: round, repeats }))
    }
    return summarize(name, measured)
  } finally {
    await shareCores?.()
    await load.stop()
  }
}

/** @param {Turn} turn @param {{ number: number, repeats: number }} round */
async function runRound(turn, { number, repeats }) {
  /** @type {Record<import("./rows.mjs").Side, import("./load-generator.mjs").Figures[]>} */
  const turns = { kit: [], raw: [] }
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const side of ORDERS[(number + repeat) % 2]) turns[side].push(await turn(side))
  }
  return { kit: join(turns.kit), raw: join(turns.raw) }
}
