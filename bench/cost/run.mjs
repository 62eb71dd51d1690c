import { join } from "node:path"
import { Cleanup } from "../harness/cleanup.mjs"
import { withClient } from "../harness/databases.mjs"
import { UsageError } from "../harness/flags.mjs"
import { explainEnd, interruption } from "../harness/interruption.mjs"
import { showMoment, showStep } from "../harness/progress.mjs"
import { seedDatabase } from "../harness/seed-database.mjs"
import { openCostDatabase } from "./cost-database.mjs"
import { readFlags, USAGE } from "./flags.mjs"
import { KEPT_FILE, readKept, writeKept } from "./kept-costs.mjs"
import { writeMappedBundle } from "./mapped-bundle.mjs"
import { MeasuredApp } from "./measured-app.mjs"
import { printComparison, printCosts, printSites } from "./report.mjs"
import { explainStatements } from "./statement-costs.mjs"

/** @typedef {import("./flags.mjs").CostPlan} CostPlan */

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
  /** @type {import("./compare.mjs").Costs} */
  const operations = {}
  for (const operation of plan.operations) {
    showMoment(`${operation.name} …`)
    operations[operation.name] = await costsOf(operation, { ...plan, url })
  }
  showMoment("")
  printCosts(operations)
  const costs = { postgres: await postgresMajor(url), operations }
  if (plan.isWritten) return keep(costs)
  if (!printComparison(await readKept(), costs)) process.exitCode = 1
}

/** @param {CostPlan} plan */
async function listPromises(plan) {
  const url = await openCostDatabase(cleanup)
  await fillDatabase({ ...plan, url })
  const mapped = await writeMappedBundle(plan.root, cleanup)
  for (const operation of plan.operations) {
    const sites = await measure({ ...operation, wanted: "sites" }, { ...plan, url, mapped })
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
 * @param {import("./operations.mjs").Operation} operation
 * @param {{ root: string, url: string }} place
 * @returns {Promise<Partial<import("./compare.mjs").OperationCosts>>}
 */
async function costsOf(operation, place) {
  const { counted, captured } = await measure({ ...operation, wanted: "costs" }, place)
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
async function measure({ wanted, requests, subscription }, place) {
  const app = await startApp(place)
  const result = await app.measure({ wanted, requests, subscription })
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
