import { openDatabase, openServer } from "../harness/databases.mjs"

const NAME = "bench_cost"
// With full pages, how many bytes a write logs would depend on when the last checkpoint was. The others save time.
const SETTINGS = { full_page_writes: "off", fsync: "off", synchronous_commit: "off", autovacuum: "off" }

/** Opens an empty database. @param {import("../harness/cleanup.mjs").Cleanup} cleanup */
export async function openCostDatabase(cleanup) {
  return openDatabase(await openServer(cleanup, SETTINGS), NAME, cleanup)
}
