import { execFileSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { updateReadme } from "./readme-figures.mjs"
import { intervalConfidence } from "./statistics.mjs"

/**
 * @typedef {{ name: string, kit: number, bar: number }} StartupResult in milliseconds
 * @typedef {{ rows: import("./measure-row.mjs").RowResult[], startup: StartupResult[] }} Results
 */

const FOLDER = new URL("../results/", import.meta.url)

/** @param {Results} results @param {import("./flags.mjs").Plan} plan */
export function printResults({ rows, startup }, { rounds }) {
  if (rows.length > 0) {
    const sure = `${Math.round(intervalConfidence(rounds) * 100)} %`
    printTable(
      ["", "kit req/s", "raw req/s", "kit/raw", sure, "kit p50", "p99", "raw p50", "p99 ms"],
      rows.map(rowCells),
    )
  }
  if (startup.length > 0) {
    const cells = startup.map(({ name, kit, bar }) => [name, kit.toFixed(0), String(bar)])
    printTable(["", "kit ms", "bar ms"], cells)
  }
}

/** A partial run replaces neither the last complete one nor the figures of the README. @param {Results} results @param {import("./flags.mjs").Plan} plan */
export async function writeResults({ rows, startup }, plan) {
  const file = new URL(plan.isComplete ? "latest.json" : "partial.tmp.json", FOLDER)
  const figures = { meta: metaOf(plan), rows: rows.map(roundAll), startup: startup.map(roundAll) }
  await mkdir(FOLDER, { recursive: true })
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`)
  if (plan.isComplete) await updateReadme(figures.rows)
  return fileURLToPath(file)
}

/** Returns the facts about a run that a reader of its figures needs. @param {{ rounds: number }} plan */
export function metaOf({ rounds }) {
  return {
    date: new Date().toISOString(),
    node: process.version,
    cpus: availableParallelism(),
    rounds,
    confidence: round(intervalConfidence(rounds)),
    commit: readCommit(),
  }
}

/** @param {import("./measure-row.mjs").RowResult} row */
function rowCells(row) {
  return [
    row.name,
    row.kit.toFixed(0),
    row.raw.toFixed(0),
    row.ratio.toFixed(2),
    `${row.low.toFixed(2)}–${row.high.toFixed(2)}`,
    ...[row.kitP50, row.kitP99, row.rawP50, row.rawP99].map((ms) => ms.toFixed(1)),
  ]
}

/** @param {string[]} head @param {string[][]} lines */
export function printTable(head, lines) {
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)))
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))
  const rule = widths.map((width) => "-".repeat(width))
  for (const line of [head, rule, ...lines]) console.log(`| ${line.map(pad).join(" | ")} |`)
  console.log("")
}

/** @returns {string | null} */
function readCommit() {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: FOLDER, encoding: "utf8", stdio: "pipe" }).trim()
  } catch {
    // Not a checkout, or one without a commit.
    return null
  }
}

/** @param {Record<string, string | number>} figures */
export function roundAll(figures) {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, typeof value === "number" ? round(value) : value]),
  )
}

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(4))
}
