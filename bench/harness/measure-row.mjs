import { portsOf } from "./rows.mjs"
import { median, medianInterval, quantile } from "./statistics.mjs"

/**
 * @typedef {{ generator: import("./load-generator.mjs").LoadGenerator, ports: import("./rows.mjs").Ports,
 *   rounds: number, onRound: (round: number) => void, calls?: Record<import("./rows.mjs").Side, import("./rows.mjs").Side> }} Setting
 *   `calls` says whose calls of the row each side gets; its own unless set
 * @typedef {{ name: string, kit: number, raw: number, ratio: number, low: number, high: number,
 *   kitP50: number, kitP99: number, rawP50: number, rawP99: number }} RowResult
 */

const PROBE_COUNT = 500
const MIN_COUNT = 100
const MAX_COUNT = 40_000
// The duration of a round, both sides together.
const ROUND_SECONDS = 2

/**
 * Warms both sides up, then measures them alternately, so that a disturbance of the machine affects both sides of a
 * round.
 *
 * @param {Setting} setting
 * @param {import("./rows.mjs").Row} row
 * @returns {Promise<RowResult>}
 */
export async function measureRow(setting, row) {
  const rounds = new Rounds({ ...setting, ports: portsOf(row, setting.ports) }, row.name)
  const cold = await rounds.run(PROBE_COUNT, 0)
  const warm = await rounds.run(countFor(cold), 1)
  const count = countFor(warm)
  const measured = []
  for (let round = 0; round < setting.rounds; round += 1) {
    setting.onRound(round + 1)
    measured.push(await rounds.run(count, round))
  }
  return summarize(row.name, measured)
}

/**
 * @typedef {{ rate: number, latencies: number[] }} Figures
 * @typedef {Record<import("./rows.mjs").Side, Figures>} Round
 */

export const ORDERS = /** @type {const} */ ([
  ["kit", "raw", "raw", "kit"],
  ["raw", "kit", "kit", "raw"],
])

/** The rounds of one row. Both sides get the same calls, and no call twice. */
class Rounds {
  #setting
  #row
  #next = 0

  /** @param {Setting} setting @param {string} row */
  constructor(setting, row) {
    this.#setting = setting
    this.#row = row
  }

  /**
   * Gives each side two turns, so that a machine that slows down affects both.
   *
   * @param {number} count
   * @param {number} number
   */
  async run(count, number) {
    const half = Math.ceil(count / 2)
    const from = { kit: this.#next, raw: this.#next }
    this.#next += 2 * half
    /** @type {Record<import("./rows.mjs").Side, import("./load-generator.mjs").Figures[]>} */
    const turns = { kit: [], raw: [] }
    for (const side of ORDERS[number % 2]) {
      turns[side].push(await this.#send(side, { from: from[side], count: half }))
      from[side] += half
    }
    return { kit: join(turns.kit), raw: join(turns.raw) }
  }

  /** @param {import("./rows.mjs").Side} side @param {{ from: number, count: number }} part */
  #send(side, part) {
    const { generator, ports, calls } = this.#setting
    return generator.run({ row: this.#row, side: calls?.[side] ?? side, port: ports[side], ...part })
  }
}

/** @param {import("./load-generator.mjs").Figures[]} turns @returns {Figures} */
export function join(turns) {
  const latencies = turns.flatMap((turn) => Array.from(turn.latencies))
  return { latencies, rate: latencies.length / turns.reduce((sum, { seconds }) => sum + seconds, 0) }
}

/** Returns the number of calls with which a round takes its full time at these rates. @param {Round} round */
function countFor({ kit, raw }) {
  const count = Math.round(ROUND_SECONDS / (1 / kit.rate + 1 / raw.rate))
  return Math.min(MAX_COUNT, Math.max(MIN_COUNT, count))
}

/** @param {string} name @param {Round[]} rounds @returns {RowResult} */
export function summarize(name, rounds) {
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

/** @param {Figures[]} figures @param {number} share */
function latency(figures, share) {
  return quantile(
    figures.flatMap(({ latencies }) => latencies),
    share,
  )
}
