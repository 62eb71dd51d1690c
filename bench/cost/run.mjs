import { join } from "node:path"
import { Cleanup } from "../harness/cleanup.mjs"
import { withClient } from "../harness/databases.mjs"
import { UsageError } from "../harness/flags.mjs"
import { explainEnd, interruption } from "../harness/interruption.mjs"
import { showMoment, showStep } from "../harness/progress.mjs"
import { seedDatabase } from "../harness/seed-database.mjs"
import { lesserCosts } from "./compare.mjs"
import { openCostDatabase } from "./cost-database.mjs"
import { readFlags, USAGE } from "./flags.mjs"
import { KEPT_FILE, readKept, writeKept } from "./kept-costs.mjs"
import { writeMappedBundle } from "./mapped-bundle.mjs"
import { MeasuredApp } from "./measured-app.mjs"
import { costsMore, printComparison, printCosts, printSites } from "./report.mjs"
import { explainStatements } from "./statement-costs.mjs"

/** @typedef {import("./flags.mjs").CostPlan} CostPlan */

// So often an operation is measured at most.
const MAX_TRIES = 3

const cleanup = new Cleanup()
try {
  const plan = readFlags(process.argv.slice(2))
  await Promise.race([plan.isListed ? listPromises(plan) : countAll(plan), interruption()])
} catch (error) {
  showStep(error instanceof UsageError ? `${error.message}\n${USAGE}` : explainEnd(error))
  process.exitCode = 1
} finally {
  await cleanup.run()
}
// An interrupted run may still be in progress, so the process is ended explicitly.
process.exit()

/** @param {CostPlan} plan */
async function countAll(plan) {
  const url = await openCostDatabase(cleanup)
  await fillDatabase({ ...plan, url })
  const kept = plan.isWritten ? undefined : await readKept()
  /** @type {import("./compare.mjs").Costs} */
  const operations = {}
  for (const operation of plan.operations) {
    showMoment(`${operation.name} …`)
    operations[operation.name] = await leastCostsOf(operation, { ...plan, url }, kept)
  }
  showMoment("")
  printCosts(operations)
  const costs = { postgres: await postgresMajor(url), operations }
  if (plan.isWritten) return keep(costs)
  if (!printComparison(kept, costs)) process.exitCode = 1
}

/** @param {CostPlan} plan */
async function listPromises(plan) {
  const url = await openCostDatabase(cleanup)
  await fillDatabase({ ...plan, url })
  const mapped = await writeMappedBundle(plan.root, cleanup)
  for (const operation of plan.operations) {
    const sites = await measure(orderFor(operation, "sites"), { ...plan, url, mapped })
    printSites(sites, { name: operation.name, root: plan.root })
  }
}

/** The first start of the app makes its tables. @param {{ root: string, url: string }} place */
async function fillDatabase(place) {
  const app = await startApp(place)
  await app.stop()
  await seedDatabase(place.url, { hasAuthorTimes: true })
}

/**
 * Measures an operation again while it seems to cost more than the committed figures, and returns the least: when code is
 * optimized differs from process to process, and only ever adds.
 *
 * @param {import("./operations.mjs").Operation} operation
 * @param {{ root: string, url: string }} place
 * @param {import("./kept-costs.mjs").KeptCosts | undefined} kept
 */
async function leastCostsOf(operation, place, kept) {
  let least = await costsOf(orderFor(operation, "costs"), place)
  for (let tries = 1; tries < MAX_TRIES && costsMore(kept, { [operation.name]: least }); tries++)
    least = lesserCosts(least, await costsOf(orderFor(operation, "costs", tries), place))
  return least
}

/**
 * @param {import("./operations.mjs").Operation} operation
 * @param {import("./inside/obey.mjs").Order["wanted"]} wanted
 * @returns {import("./inside/obey.mjs").Order}
 */
function orderFor({ requests, subscription }, wanted, attempt = 0) {
  return { wanted, requests: requests(attempt), ...(subscription && { subscription }) }
}

/**
 * @param {import("./inside/obey.mjs").Order} order
 * @param {{ root: string, url: string }} place
 * @returns {Promise<Partial<import("./compare.mjs").OperationCosts>>}
 */
async function costsOf(order, place) {
  const { counted, captured } = await measure(order, place)
  // Nothing is captured of a live query: its statements ask for what has changed since the last of them.
  if (captured.length === 0) return counted
  return { ...counted, ...(await explainStatements(place.url, captured)) }
}

/**
 * Measures in a new process: what other operations have had optimized does not matter.
 *
 * @param {import("./inside/obey.mjs").Order} order
 * @param {{ root: string, url: string, mapped?: string }} place
 */
async function measure(order, place) {
  const app = await startApp(place)
  const result = await app.measure(order)
  await app.stop()
  return result
}

/** @param {{ root: string, url: string, mapped?: string }} place */
async function startApp({ root, url, mapped }) {
  const app = new MeasuredApp({ url, root, app: join(root, "bench/app"), mapped, cleanup })
  await app.isReady()
  return app
}

/** @param {Omit<import("./kept-costs.mjs").KeptCosts, "node">} costs */
async function keep(costs) {
  await writeKept(costs)
  console.log(`Written to ${KEPT_FILE}. Say in the commit why the costs have changed.`)
}

/** @param {string} url */
async function postgresMajor(url) {
  let version = 0
  await withClient(url, async (client) => {
    const { rows } = await client.query("show server_version_num")
    version = Number(rows[0].server_version_num)
  })
  return Math.floor(version / 10_000)
}
