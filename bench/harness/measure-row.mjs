import { median, medianInterval, quantile } from "./statistics.mjs"

/**
 * @typedef {{ generator: import("./load-generator.mjs").LoadGenerator, ports: Record<import("./rows.mjs").Side, number>,
 *   rounds: number, onRound: (round: number) => void }} Setting
 * @typedef {{ name: string, kit: number, raw: number, ratio: number, low: number, high: number,
 *   kitP50: number, kitP99: number, rawP50: number, rawP99: number }} RowResult
 */

const PROBE_COUNT = 500
const MIN_COUNT = 100
const MAX_COUNT = 40_000
// Both sides of a round together.
const ROUND_SECONDS = 2

/**
 * Warms both sides up, then measures them in turns: what disturbs the machine disturbs both sides of a round.
 *
 * @param {Setting} setting
 * @param {import("./rows.mjs").Row} row
 * @returns {Promise<RowResult>}
 */
export async function measureRow(setting, row) {
  const batches = new Batches(setting, row.name)
  const cold = await batches.runRound(PROBE_COUNT, 0)
  const warm = await batches.runRound(countFor(cold), 1)
  const count = countFor(warm)
  const measured = []
  for (let round = 0; round < setting.rounds; round += 1) {
    setting.onRound(round + 1)
    measured.push(await batches.runRound(count, round))
  }
  return summarize(row.name, measured)
}

/** @typedef {Record<import("./rows.mjs").Side, import("./load-generator.mjs").Figures & { rate: number }>} Round */

/** The batches of one row. Both sides get the same calls, and no call twice. */
class Batches {
  #setting
  #row
  #next = 0

  /** @param {Setting} setting @param {string} row */
  constructor(setting, row) {
    this.#setting = setting
    this.#row = row
  }

  /** The first side changes from round to round. @param {number} count @param {number} round @returns {Promise<Round>} */
  async runRound(count, round) {
    const from = this.#next
    this.#next += count
    const figures = {}
    for (const side of round % 2 === 0 ? ["kit", "raw"] : ["raw", "kit"])
      figures[side] = await this.#run(side, { from, count })
    return figures
  }

  /** @param {import("./rows.mjs").Side} side @param {{ from: number, count: number }} part */
  async #run(side, { from, count }) {
    const { generator, ports } = this.#setting
    const figures = await generator.run({ row: this.#row, side, port: ports[side], from, count })
    return { ...figures, rate: count / figures.seconds }
  }
}

/** How many calls make a round last its time at these rates. @param {Round} round */
function countFor({ kit, raw }) {
  const count = Math.round(ROUND_SECONDS / (1 / kit.rate + 1 / raw.rate))
  return Math.min(MAX_COUNT, Math.max(MIN_COUNT, count))
}

/** @param {string} name @param {Round[]} rounds @returns {RowResult} */
function summarize(name, rounds) {
  const ratios = rounds.map(({ kit, raw }) => kit.rate / raw.rate)
  const kit = rounds.map((round) => round.kit)
  const raw = rounds.map((round) => round.raw)
  return {
    name,
    kit: median(kit.map(({ rate }) => rate)),
    raw: median(raw.map(({ rate }) => rate)),
    ratio: median(ratios),
    ...medianInterval(ratios),
    kitP50: latency(kit, 0.5),
    kitP99: latency(kit, 0.99),
    rawP50: latency(raw, 0.5),
    rawP99: latency(raw, 0.99),
  }
}

/** @param {import("./load-generator.mjs").Figures[]} batches @param {number} share */
function latency(batches, share) {
  return quantile(
    batches.flatMap(({ latencies }) => Array.from(latencies)),
    share,
  )
}
