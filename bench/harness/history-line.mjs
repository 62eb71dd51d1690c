/**
 * @typedef {{ meta: { commit: string, date: string }, rows: { name: string, ratio: number }[] }} Results of a complete run
 * @typedef {Record<string, { promises?: number, kilobytes?: number }>} Costs
 */

const RATIOS = ["get", "list", "filtered, index on both", "create", "patch", "route", "live fan-out"]
const COSTS = ["get", "create", "patch"]
const UNKNOWN = "–"
const SHORT_COMMIT = 8
const DAY = "2026-01-01".length

/**
 * Returns a line of `results/history.md`: the commit, the day, the ratios of a run to raw, and what requests cost.
 *
 * @param {Results} results
 * @param {Costs} costs
 */
export function historyLine({ meta, rows }, costs) {
  const ratios = RATIOS.map((name) => rows.find((row) => row.name === name)?.ratio.toFixed(2) ?? UNKNOWN)
  const cells = [
    meta.commit.slice(0, SHORT_COMMIT),
    meta.date.slice(0, DAY),
    ...ratios,
    ...COSTS.map((name) => costCell(costs[name])),
  ]
  return `| ${cells.join(" | ")} |`
}

/**
 * Returns the page with the line at the end of its table; a line of the same commit is replaced.
 *
 * @param {string} page
 * @param {string} line
 */
export function addLine(page, line) {
  const start = line.slice(0, line.indexOf("|", 1) + 1)
  const lines = page.split("\n").filter((known) => !known.startsWith(start))
  const last = lines.findLastIndex((known) => known.startsWith("|"))
  return lines.toSpliced(last + 1, 0, line).join("\n")
}

/** @param {Costs[string] | undefined} cost */
function costCell({ promises, kilobytes } = {}) {
  return promises === undefined || kilobytes === undefined ? UNKNOWN : `${promises} / ${kilobytes.toFixed(0)}`
}
