import { dropUnanswered } from "./harness/against-answers.mjs"
import { isSlower, printAgainst, writeAgainst } from "./harness/against-report.mjs"
import { openDatabases } from "./harness/databases.mjs"
import { UsageError } from "./harness/flags.mjs"
import { isDirty, resolveCommit } from "./harness/git.mjs"
import { LoadGenerator } from "./harness/load-generator.mjs"
import { measureRow } from "./harness/measure-row.mjs"
import { makeOtherTree } from "./harness/other-tree.mjs"
import { showMoment, showStep } from "./harness/progress.mjs"
import { removeCreatedPosts, seedDatabase } from "./harness/seed-database.mjs"
import { seedSession } from "./harness/seeded-session.mjs"
import { startKit } from "./harness/servers.mjs"

/**
 * @typedef {import("./harness/flags.mjs").Plan} Plan
 * @typedef {import("./harness/rows.mjs").Row} Row
 * @typedef {import("./harness/rows.mjs").Side} Side
 * @typedef {import("./harness/cleanup.mjs").Cleanup} Cleanup
 * @typedef {Record<Side, import("./harness/servers.mjs").Place>} Places `raw` is the other commit
 */

const DATABASES = { kit: "bench_kit", raw: "bench_ref" }
// Both sides get the requests of an app on kit.
const CALLS = /** @type {const} */ ({ kit: "kit", raw: "kit" })

/**
 * Compares this tree with another commit, alternating between them as with raw. Rows that come out slower are measured
 * a second time with new processes: only rows that are slower both times count, and make the run fail.
 *
 * @param {Plan} plan
 * @param {Cleanup} cleanup
 */
export async function measureAgainst(plan, cleanup) {
  const ref = plan.against ?? ""
  const commit = resolveCommit(ref)
  if (isDirty()) showStep("This tree has uncommitted changes: they are part of what is measured as now.")
  const root = await makeOtherTree(commit, cleanup)
  showStep("starting the database …")
  const urls = await openDatabases(cleanup, DATABASES)
  const places = { kit: { url: urls.kit, cleanup }, raw: { url: urls.raw, cleanup, root } }
  const chosen = withoutTwins(plan.rows)
  const rows = await withServers(places, ["kit", "raw"], async (ports) => {
    const answered = await prepare(places, { ports, rows: chosen, ref })
    return measureAll({ ...plan, rows: answered }, { ports, cleanup })
  })
  const again = await confirm(plan, { places, rows, chosen })
  showMoment("")
  const results = { rows, again, ref, commit }
  printAgainst(results, plan)
  showStep(`written to ${await writeAgainst(results, plan)}`)
  if (again.some(isSlower)) process.exitCode = 1
}

/** Drops rows that differ only in the request to raw: here they are the same. @param {readonly Row[]} rows */
function withoutTwins(rows) {
  const firstCall = (/** @type {Row} */ row) => JSON.stringify(row.kit(0))
  return rows.filter((row, index) => rows.findIndex((other) => firstCall(other) === firstCall(row)) === index)
}

/**
 * @template Result
 * @param {Places} places
 * @param {readonly Side[]} order
 * @param {(ports: Record<Side, number>) => Promise<Result>} work
 */
async function withServers(places, order, work) {
  /** @type {Record<string, import("./harness/servers.mjs").RunningServer>} */
  const servers = {}
  for (const side of order) servers[side] = await startKit(places[side])
  const result = await work({ kit: servers["kit"].port, raw: servers["raw"].port })
  for (const server of Object.values(servers)) await server.stop()
  return result
}

/**
 * Fills both databases, and returns the rows that both sides answer.
 *
 * @param {Places} places
 * @param {{ ports: Record<Side, number>, rows: readonly Row[], ref: string }} asked
 */
async function prepare(places, { ports, rows, ref }) {
  showStep("seeding both databases …")
  await seed(places.kit.url)
  await seed(places.raw.url).catch((cause) => {
    throw new Error(`The tables of ${ref} are not those that this bench fills: ${cause.message}`, { cause })
  })
  showStep("checking that both give the same answers …")
  const answered = await dropUnanswered(rows, { ports, ref })
  if (answered.length === 0) throw new UsageError(`--against: ${ref} answers none of these rows.`)
  await removeCreated(places)
  return answered
}

/** @param {string} url */
async function seed(url) {
  await seedDatabase(url, { hasAuthorTimes: true })
  await seedSession(url)
}

/** @param {Places} places */
async function removeCreated(places) {
  for (const { url } of Object.values(places)) await removeCreatedPosts(url)
}

/**
 * @param {Plan} plan
 * @param {{ places: Places, rows: import("./harness/measure-row.mjs").RowResult[], chosen: readonly Row[] }} first
 */
async function confirm(plan, { places, rows, chosen }) {
  const slower = rows.filter(isSlower).map(({ name }) => name)
  if (slower.length === 0) return []
  showStep(`measuring what was slower once more: ${slower.join(", ")}`)
  await removeCreated(places)
  const suspects = chosen.filter(({ name }) => slower.includes(name))
  // Starts the servers in the other order, so that the order cannot be the reason.
  return withServers(places, ["raw", "kit"], (ports) =>
    measureAll({ ...plan, rows: suspects }, { ports, cleanup: places.kit.cleanup }),
  )
}

/** @param {Plan} plan @param {{ ports: Record<Side, number>, cleanup: Cleanup }} sides */
async function measureAll({ rows, rounds }, { ports, cleanup }) {
  const generator = new LoadGenerator()
  cleanup.add(() => generator.stop())
  const results = []
  for (const [index, row] of rows.entries()) {
    const label = `${row.name} (${index + 1}/${rows.length})`
    showMoment(`${label}: warming up`)
    const onRound = (/** @type {number} */ round) => showMoment(`${label}: round ${round}/${rounds}`)
    const both = { ...row, isOwn: false, isRoute: false }
    const setting = { generator, ports: { ...ports, route: ports.raw }, rounds, onRound, calls: CALLS }
    const result = await measureRow(setting, both)
    showStep(`${label}: ${result.ratio.toFixed(2)} of the other commit`)
    results.push(result)
  }
  await generator.stop()
  return results
}
