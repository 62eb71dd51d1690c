import { join } from "node:path"
import { startEmbeddedPostgres } from "../packages/kit/dist/drivers/embedded-postgres/start.js"
import { showMoment } from "./harness/progress.mjs"
import { startKit } from "./harness/servers.mjs"
import { median } from "./harness/statistics.mjs"
import { makeTemporaryFolder } from "./harness/temporary-folder.mjs"

// The limits for a start, in milliseconds, on a machine with two cores.
const BARS = { first: 3000, later: 500, adopt: 50, kit: 600 }
const FIRST_STARTS = 3
const LATER_STARTS = 5
const KIT_STARTS = 5

/**
 * Measures the start of the embedded database and of `kit start`.
 *
 * @param {import("./harness/servers.mjs").Place} place a database that `kit start` has already been run on
 * @returns {Promise<import("./harness/report.mjs").StartupResult[]>}
 */
export async function measureStartup(place) {
  // With DATABASE_URL, the embedded PostgreSQL may not be installed.
  const embedded = process.env["DATABASE_URL"] ? [] : await measureEmbedded(place.cleanup)
  const kit = { name: "kit start to first answer", kit: await measureKitStart(place), bar: BARS.kit }
  return [...embedded, kit]
}

/** @param {import("./harness/cleanup.mjs").Cleanup} cleanup */
async function measureEmbedded(cleanup) {
  const folder = await makeTemporaryFolder(cleanup)
  const first = []
  for (let turn = 0; turn < FIRST_STARTS; turn += 1) {
    showMoment(`first start ${turn + 1}/${FIRST_STARTS}`)
    first.push(await timeStart(cleanup, join(folder, `db-${turn}`)))
  }
  const later = []
  const adopt = []
  for (let turn = 0; turn < LATER_STARTS; turn += 1) {
    showMoment(`later start ${turn + 1}/${LATER_STARTS}`)
    const directory = join(folder, "db-0")
    later.push(await timeStart(cleanup, directory, async () => adopt.push(await timeAdoption(cleanup, directory))))
  }
  return [
    { name: "embedded database, first start", kit: median(first), bar: BARS.first },
    { name: "embedded database, later start", kit: median(later), bar: BARS.later },
    { name: "embedded database, already running", kit: median(adopt), bar: BARS.adopt },
  ]
}

/**
 * @param {import("./harness/cleanup.mjs").Cleanup} cleanup
 * @param {string} directory
 * @param {() => Promise<unknown>} [whileRunning]
 */
async function timeStart(cleanup, directory, whileRunning = async () => {}) {
  const embedded = await startEmbeddedPostgres({ directory })
  cleanup.add(() => embedded.release())
  if (embedded.adopted) throw new Error(`A database was already running in ${directory}.`)
  await whileRunning()
  await embedded.release()
  return embedded.startedInMs
}

/** @param {import("./harness/cleanup.mjs").Cleanup} cleanup @param {string} directory */
async function timeAdoption(cleanup, directory) {
  const embedded = await startEmbeddedPostgres({ directory })
  cleanup.add(() => embedded.release())
  if (!embedded.adopted) throw new Error(`No database was running in ${directory}.`)
  await embedded.release()
  return embedded.startedInMs
}

/** @param {import("./harness/servers.mjs").Place} place */
async function measureKitStart(place) {
  const times = []
  for (let turn = 0; turn < KIT_STARTS; turn += 1) {
    showMoment(`kit start ${turn + 1}/${KIT_STARTS}`)
    const server = await startKit(place)
    times.push(server.readyMs)
    await server.stop()
  }
  return median(times)
}
