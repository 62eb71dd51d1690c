import { printTable } from "../harness/report.mjs"
import { compareCosts, describeChange } from "./compare.mjs"
import { KEPT_FILE } from "./kept-costs.mjs"

/** @param {import("./compare.mjs").Costs} costs */
export function printCosts(costs) {
  const lines = Object.entries(costs).map(([name, cost]) => [
    name,
    cellOf(cost.promises),
    cellOf(cost.kilobytes, 1),
    cellOf(cost.statements),
    cellOf(cost.rows),
    cellOf(cost.walBytes),
  ])
  printTable(["", "promises", "KB", "statements", "rows", "WAL bytes"], lines)
}

/**
 * Says what has changed since the committed costs. Returns true if nothing costs more.
 *
 * @param {import("./kept-costs.mjs").KeptCosts | undefined} kept
 * @param {Omit<import("./kept-costs.mjs").KeptCosts, "node">} now
 */
export function printComparison(kept, now) {
  if (kept === undefined) {
    const version = process.versions.node
    console.log(
      `There is no ${KEPT_FILE}, so nothing is compared on Node ${version}. npm run cost -- --write makes it.`,
    )
    return true
  }
  const { more, less } = compareCosts(kept.operations, comparable(kept, now))
  for (const change of [...more, ...less]) console.log(describeChange(change))
  if (more.length > 0) console.log(adviceFor(more))
  else if (less.length > 0) console.log(`Keep what is saved: npm run cost -- --write changes ${KEPT_FILE}.`)
  else console.log(`Nothing costs more than in ${KEPT_FILE}.`)
  return more.length === 0
}

/**
 * True if an operation costs more than the committed figures.
 *
 * @param {import("./kept-costs.mjs").KeptCosts | undefined} kept
 * @param {import("./compare.mjs").Costs} operations
 */
export function costsMore(kept, operations) {
  return kept !== undefined && compareCosts(kept.operations, operations).more.length > 0
}

/** @param {import("./inside/promise-sites.mjs").Site[]} sites @param {{ name: string, root: string }} measured */
export function printSites(sites, { name, root }) {
  const sum = sites.reduce((count, site) => count + site.count, 0)
  console.log(`${name}: ${sum} promises, in the order in which a request makes them`)
  for (const { site, count } of sites) console.log(`${String(count).padStart(4)}  ${site.replace(`${root}/`, "")}`)
  console.log("")
}

/** Leaves out what another version of PostgreSQL decides. @param {import("./kept-costs.mjs").KeptCosts} kept @param {Omit<import("./kept-costs.mjs").KeptCosts, "node">} now */
function comparable({ postgres }, now) {
  if (postgres === now.postgres) return now.operations
  console.log(`Rows and WAL are not compared: this is PostgreSQL ${now.postgres}, and ${KEPT_FILE} is of ${postgres}.`)
  const entries = Object.entries(now.operations)
  return Object.fromEntries(entries.map(([name, cost]) => [name, { ...cost, rows: undefined, walBytes: undefined }]))
}

/** @param {import("./compare.mjs").Change[]} more */
function adviceFor(more) {
  const names = [...new Set(more.map(({ operation }) => operation))].join(",")
  return [
    `Find the station that adds it: npm run cost -- --only ${names} --promises lists where promises are made.`,
    `If it is worth its cost, npm run cost -- --write changes ${KEPT_FILE}; the commit says why.`,
  ].join("\n")
}

/** @param {number | undefined} figure @param {number} [digits] */
function cellOf(figure, digits = 0) {
  return figure === undefined ? "" : figure.toFixed(digits)
}
