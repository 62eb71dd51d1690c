import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { failuresIn, summaryOf } from "./repeated-failures.mjs"

// Runs the tests again and again, and reports every test that failed once.
//
// node scripts/run-repeatedly.mjs                                 npm test, ten times
// node scripts/run-repeatedly.mjs --times 3 --busy                beside a busy loop on each core
// node scripts/run-repeatedly.mjs --script test:experiments       another script of package.json
// node scripts/run-repeatedly.mjs -- test/live test/jobs          only some tests
const root = fileURLToPath(new URL("..", import.meta.url))
const BUSY_LOOP =
  "process.on('disconnect', () => process.exit()); (function loop() { const end = Date.now() + 50; while (Date.now() < end); setImmediate(loop) })()"

const { values, positionals } = parseArgs({
  options: {
    times: { type: "string", default: "10" },
    script: { type: "string", default: "test" },
    busy: { type: "boolean", default: false },
  },
  allowPositionals: true,
})
const times = Number(values.times)
if (!Number.isInteger(times) || times < 1) {
  console.error(`--times ${values.times}: write how often to run the tests, 1 or more.`)
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), "kit-repeated-"))
const loops = values.busy ? Array.from({ length: availableParallelism() }, startBusyLoop) : []
try {
  /** @type {import("./repeated-failures.mjs").Failure[]} */
  const failures = []
  for (let run = 1; run <= times; run++) {
    const startedAt = performance.now()
    const found = failuresIn(await runOnce(join(folder, `${run}.json`)), run)
    failures.push(...found)
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
    console.log(
      `run ${run} of ${times}: ${found.length === 0 ? "passed" : `${found.length} failed`} after ${minutes} minutes`,
    )
    for (const { test, message } of found) console.log(`  ${test}\n${message.replace(/^/gm, "      ")}`)
  }
  console.log(summaryOf(failures, times))
  process.exitCode = failures.length === 0 ? 0 : 1
} finally {
  for (const loop of loops) loop.disconnect()
  await rm(folder, { recursive: true })
}

/** Runs the script once. Resolves to what it printed, and to the report of vitest if it has written one. @param {string} file */
async function runOnce(file) {
  const reporters = ["--reporter=json", `--outputFile.json=${file}`]
  const child = spawn("npm", ["run", "--silent", values.script, "--", ...reporters, ...positionals], { cwd: root })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-20_000)
    })
  const code = await new Promise((resolve, reject) => void child.once("error", reject).once("close", resolve))
  const report = await readFile(file, "utf8").then(JSON.parse, () => undefined)
  return { code, output, report }
}

function startBusyLoop() {
  return spawn(process.execPath, ["-e", BUSY_LOOP], { stdio: ["ignore", "ignore", "ignore", "ipc"] })
}
