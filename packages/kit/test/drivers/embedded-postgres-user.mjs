// From the build, as an app does: loading sources takes longer than a start.
import { startEmbeddedPostgres } from "../../dist/drivers/embedded-postgres/start.js"

// A process that uses the database: it says what it got, and releases it when its input is closed with "release".
const [, , directory = ""] = process.argv

try {
  const postgres = await startEmbeddedPostgres({ directory })
  const { url, version, adopted, startedInMs } = postgres
  process.stdout.write(`${JSON.stringify({ url, version, adopted, startedInMs })}\n`)
  process.stdin.on("data", () => postgres.release().then(() => process.exit()))
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`)
  process.exitCode = 1
}
