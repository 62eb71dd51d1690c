import { readFile } from "node:fs/promises"
import { measureAgainst } from "./against.mjs"
import { checkAnswers } from "./harness/check-answers.mjs"
import { Cleanup } from "./harness/cleanup.mjs"
import { openDatabases, runOn } from "./harness/databases.mjs"
import { readFlags, USAGE, UsageError } from "./harness/flags.mjs"
import { explainEnd, interruption } from "./harness/interruption.mjs"
import { LoadGenerator } from "./harness/load-generator.mjs"
import { measureLiveRow } from "./harness/measure-live-row.mjs"
import { measureRow } from "./harness/measure-row.mjs"
import { printProfile, profileOptions } from "./harness/profile.mjs"
import { showMoment, showStep } from "./harness/progress.mjs"
import { printResults, writeResults } from "./harness/report.mjs"
import { removeCreatedPosts, seedDatabase } from "./harness/seed-database.mjs"
import { seedSession } from "./harness/seeded-session.mjs"
import { startKit, startRaw, startRawLive, startRawRoute } from "./harness/servers.mjs"
import { makeTemporaryFolder } from "./harness/temporary-folder.mjs"
import { measureStartup } from "./startup.mjs"

const cleanup = new Cleanup()
try {
  const plan = readFlags(process.argv.slice(2))
  await Promise.race([plan.against === undefined ? run(plan) : measureAgainst(plan, cleanup), interruption()])
} catch (error) {
  showStep(error instanceof UsageError ? `${error.message}\n${USAGE}` : explainEnd(error))
  process.exitCode = 1
} finally {
  await cleanup.run()
}
// An interrupted run may still be in progress, so the process is ended explicitly.
process.exit()

/** @param {import("./harness/flags.mjs").Plan} plan */
async function run(plan) {
  showStep("starting the database …")
  const urls = await openDatabases(cleanup)
  const profileFolder = plan.isProfiled ? await makeTemporaryFolder(cleanup) : undefined
  const rows = await measureRows(plan, urls, profileFolder)
  if (plan.hasStartup) showStep("measuring start-up …")
  const startup = plan.hasStartup ? await measureStartup({ url: urls.kit, cleanup }) : []
  showMoment("")
  printResults({ rows, startup }, plan)
  if (profileFolder !== undefined) await printProfile(profileFolder)
  showStep(`written to ${await writeResults({ rows, startup }, plan)}`)
}

/**
 * @param {import("./harness/flags.mjs").Plan} plan
 * @param {Record<import("./harness/rows.mjs").Side, string>} urls
 * @param {string | undefined} profileFolder
 */
async function measureRows(plan, urls, profileFolder) {
  // The first start of the app creates its tables.
  const kit = await startKit(
    { url: urls.kit, cleanup },
    profileFolder === undefined ? [] : profileOptions(profileFolder),
  )
  const results = plan.rows.length === 0 ? [] : await compareServers(plan, urls, kit)
  await kit.stop()
  return results
}

/**
 * @param {import("./harness/flags.mjs").Plan} plan
 * @param {Record<import("./harness/rows.mjs").Side, string>} urls
 * @param {import("./harness/servers.mjs").RunningServer} kit
 */
async function compareServers(plan, urls, kit) {
  showStep("seeding both databases …")
  await runOn(urls.raw, await readFile(new URL("./raw/schema.sql", import.meta.url), "utf8"))
  await seedDatabase(urls.raw, { hasAuthorTimes: false })
  await seedDatabase(urls.kit, { hasAuthorTimes: true })
  await seedSession(urls.kit)
  const raw = await startRaw({ url: urls.raw, cleanup })
  const rawRoute = await startRawRoute({ url: urls.raw, cleanup })
  const rawLive = await startRawLive({ url: urls.raw, cleanup })
  const ports = { kit: kit.port, raw: raw.port, route: rawRoute.port, live: rawLive.port }
  const livePids = [kit.pid, rawLive.pid]
  showStep("checking that both give the same answers …")
  await checkAnswers(plan.rows, ports)
  const results = await measureAll(plan, { ports, livePids, urls })
  await raw.stop()
  await rawRoute.stop()
  await rawLive.stop()
  return results
}

/**
 * @param {import("./harness/flags.mjs").Plan} plan
 * @param {{ ports: import("./harness/rows.mjs").Ports, livePids: number[],
 *   urls: Record<import("./harness/rows.mjs").Side, string> }} sides
 *   `livePids` are the processes of the servers that the live rows compare
 */
async function measureAll({ rows, rounds }, { ports, livePids, urls }) {
  const generator = new LoadGenerator()
  cleanup.add(() => generator.stop())
  const results = []
  for (const [index, row] of rows.entries()) {
    const label = `${row.name} (${index + 1}/${rows.length})`
    showMoment(`${label}: warming up`)
    const onRound = (round) => showMoment(`${label}: round ${round}/${rounds}`)
    for (const url of Object.values(urls)) await removeCreatedPosts(url)
    if (row.rawIndex) await runOn(urls.raw, `create index bench_row on posts ${row.rawIndex}; analyze posts`)
    const setting = { generator, ports, rounds, onRound }
    const result = await (row.live ? measureLiveRow({ ...setting, livePids }, row) : measureRow(setting, row))
    if (row.rawIndex) await runOn(urls.raw, "drop index bench_row")
    showStep(`${label}: ${result.ratio.toFixed(2)} of ${row.isOwn ? "our own" : "raw"}`)
    results.push(result)
  }
  return results
}
