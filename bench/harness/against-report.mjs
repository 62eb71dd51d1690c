import { mkdir, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { isDirty } from "./git.mjs"
import { metaOf, printTable, roundAll } from "./report.mjs"
import { intervalConfidence } from "./statistics.mjs"

/**
 * @typedef {import("./measure-row.mjs").RowResult} RowResult `raw` is the other commit
 * @typedef {{ rows: RowResult[], again: RowResult[], ref: string, commit: string }} AgainstResults
 *   `again` holds the second measurement of the rows that were slower
 */

// A row is slower if its whole interval is below this ratio. Ratios closer to 1 are noise on an ordinary machine.
const BAR = 0.95
const FILE = new URL("../results/against.json", import.meta.url)

/** @param {RowResult} row */
export function isSlower({ high }) {
  return high < BAR
}

/** @param {AgainstResults} results @param {import("./flags.mjs").Plan} plan */
export function printAgainst({ rows, again, ref, commit }, { rounds }) {
  const sure = `${Math.round(intervalConfidence(rounds) * 100)} %`
  const head = ["", "now req/s", `${ref} req/s`, "ratio", sure, "now p50", "p99", `${ref} p50`, "p99 ms", "verdict"]
  const confirmed = again.filter(isSlower).map(({ name }) => name)
  const verdictOf = (/** @type {RowResult} */ row) => {
    if (!isSlower(row)) return ""
    return confirmed.includes(row.name) ? "slower" : "slower once"
  }
  printTable(
    head,
    rows.map((row) => cellsOf(row, verdictOf(row))),
  )
  if (again.length > 0) {
    console.log("Once more, with new processes:")
    printTable(
      head,
      again.map((row) => cellsOf(row, isSlower(row) ? "slower" : "")),
    )
  }
  const slower = confirmed.length === 0 ? "none" : confirmed.join(", ")
  console.log(
    `Slower than ${ref} (${commit.slice(0, 8)}) in both runs, with the whole interval below ${BAR}: ${slower}.\n`,
  )
}

/** @param {AgainstResults} results @param {import("./flags.mjs").Plan} plan */
export async function writeAgainst({ rows, again, ref, commit }, plan) {
  const meta = { ...metaOf(plan), isDirty: isDirty(), ref, against: commit, bar: BAR }
  const slower = again.filter(isSlower).map(({ name }) => name)
  const figures = { meta, rows: rows.map(figuresOf), again: again.map(figuresOf), slower }
  await mkdir(new URL(".", FILE), { recursive: true })
  await writeFile(FILE, `${JSON.stringify(figures, null, 2)}\n`)
  return fileURLToPath(FILE)
}

/** @param {RowResult} row @param {string} verdict */
function cellsOf(row, verdict) {
  return [
    row.name,
    row.kit.toFixed(0),
    row.raw.toFixed(0),
    row.ratio.toFixed(2),
    `${row.low.toFixed(2)}–${row.high.toFixed(2)}`,
    ...[row.kitP50, row.kitP99, row.rawP50, row.rawP99].map((ms) => ms.toFixed(1)),
    verdict,
  ]
}

/** @param {RowResult} row */
function figuresOf({ name, kit, raw, ratio, low, high, kitP50, kitP99, rawP50, rawP99 }) {
  return roundAll({
    name,
    now: kit,
    ref: raw,
    ratio,
    low,
    high,
    nowP50: kitP50,
    nowP99: kitP99,
    refP50: rawP50,
    refP99: rawP99,
  })
}
