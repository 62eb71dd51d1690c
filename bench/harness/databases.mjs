import { join } from "node:path"
import pg from "pg"
import { startEmbeddedPostgres } from "../../packages/kit/dist/drivers/embedded-postgres/start.js"
import { makeTemporaryFolder } from "./temporary-folder.mjs"

const NAMES = { kit: "bench_kit", raw: "bench_raw" }

/**
 * Opens two empty databases on one server: the server of DATABASE_URL, or an embedded one for this run.
 *
 * @param {import("./cleanup.mjs").Cleanup} cleanup
 * @param {Record<import("./rows.mjs").Side, string>} [names]
 * @returns {Promise<Record<import("./rows.mjs").Side, string>>} their connection strings
 */
export async function openDatabases(cleanup, names = NAMES) {
  const server = await openServer(cleanup)
  const kit = await openDatabase(server, names.kit, cleanup)
  return { kit, raw: await openDatabase(server, names.raw, cleanup) }
}

/**
 * Returns the server of DATABASE_URL, or an embedded one for this run.
 *
 * @param {import("./cleanup.mjs").Cleanup} cleanup
 * @param {Record<string, string>} [settings] of an embedded server
 */
export async function openServer(cleanup, settings = {}) {
  return process.env["DATABASE_URL"] || (await startServer(cleanup, settings))
}

/**
 * Opens an empty database, which is dropped at the end.
 *
 * @param {string} server
 * @param {string} name
 * @param {import("./cleanup.mjs").Cleanup} cleanup
 */
export async function openDatabase(server, name, cleanup) {
  await runOn(server, `drop database if exists ${name} with (force)`)
  await runOn(server, `create database ${name}`)
  cleanup.add(() => runOn(server, `drop database if exists ${name} with (force)`))
  return withDatabase(server, name)
}

/** Runs SQL on a new connection. @param {string} url @param {string} text */
export async function runOn(url, text) {
  await withClient(url, (client) => client.query(text))
}

/** @param {string} url @param {(client: pg.Client) => Promise<unknown>} work */
export async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url })
  // A lost connection fails the current query. Without a handler, the error event would end the run without cleanup.
  client.on("error", () => {})
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** @param {import("./cleanup.mjs").Cleanup} cleanup @param {Record<string, string>} settings */
async function startServer(cleanup, settings) {
  const directory = join(await makeTemporaryFolder(cleanup), "db")
  const embedded = await startEmbeddedPostgres({ directory, settings })
  cleanup.add(() => embedded.release())
  return embedded.url
}

/** @param {string} url @param {string} name */
function withDatabase(url, name) {
  return url.replace(/^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${name}`)
}
