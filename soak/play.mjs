import { chmod, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { testApp } from "kit/testing"
import { startEmbeddedPostgres } from "../packages/kit/dist/drivers/embedded-postgres/start.js"
import { FORGETFUL_SETTINGS } from "../packages/kit/dist/testing/test-server.js"
import { MODEL } from "./filters/model.mjs"
import { loadRecords } from "./filters/load.mjs"
const folder = await mkdtemp(join(tmpdir(), "kit-play-"))
await chmod(folder, 0o755)
const embedded = await startEmbeddedPostgres({ directory: join(folder, "db"), settings: FORGETFUL_SETTINGS })
process.env["KIT_TEST_DATABASE_URL"] = embedded.url
const app = await testApp(MODEL)
const t = performance.now()
await loadRecords((text) => app.query(text), { books: 3000, reviews: 150000 })
console.log("loaded", performance.now() - t, app.url, app.databaseUrl, process.pid)
process.on("SIGTERM", async () => { await app.stop(); await embedded.release(); process.exit(0) })
setInterval(() => {}, 1000)
