// Runs one of the long experiments (soak/experiments.mjs); the test command runs them in a short form.
//   npm run soak -- live [--topics 200] [--batches 50] [--seed 7]
//   npm run soak -- fair [--only with,bulk]
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { startEmbeddedPostgres } from "../packages/kit/dist/drivers/embedded-postgres/start.js"
import { NON_DURABLE_SETTINGS } from "../packages/kit/dist/testing/test-server.js"
import { EXPERIMENTS } from "./experiments.mjs"

const [name = ""] = process.argv.slice(2)
const experiment = EXPERIMENTS[name]
if (!experiment) throw new Error(`Name an experiment: ${Object.keys(EXPERIMENTS).join(", ")}.`)
const { sizes, seed, only } = readOptions(Object.entries(experiment.sizes))
const parts = chooseParts(experiment.parts ?? [], only)
console.log({ experiment: name, seed, ...sizes, ...(only && { only }) })

const folder = await mkdtemp(join(tmpdir(), "kit-soak-"))
// PostgreSQL never runs as root: its own user must be able to enter the folder.
await chmod(folder, 0o755)
const settings = experiment.isWithoutCrash ? { settings: NON_DURABLE_SETTINGS } : {}
const embedded = await startEmbeddedPostgres({ directory: join(folder, "db"), ...settings })
try {
  const startedAt = performance.now()
  const found = await experiment.run({ url: embedded.url, folder, below: seeded(seed), sizes, parts })
  const figures = { seed, ...found, seconds: Math.round((performance.now() - startedAt) / 1000) }
  console.log(figures)
  // A run of only some parts does not overwrite the figures of the full run.
  const file = only === undefined ? `${name}.json` : `${name}.tmp.json`
  await writeFile(new URL(`results/${file}`, import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
  if (experiment.isBroken(figures, sizes)) process.exitCode = 1
} finally {
  await embedded.release()
  await rm(folder, { recursive: true, force: true })
}

/** @param {[string, number][]} defaults */
function readOptions(defaults) {
  const sizes = defaults.map(([size, usual]) => [size, { type: "string", default: String(usual) }])
  const options = Object.fromEntries([...sizes, ["seed", { type: "string" }], ["only", { type: "string" }]])
  const { values } = parseArgs({ allowPositionals: true, options })
  return {
    sizes: Object.fromEntries(defaults.map(([size]) => [size, Number(values[size])])),
    seed: Number(values["seed"] ?? crypto.getRandomValues(new Uint32Array(1))[0]),
    only: typeof values["only"] === "string" ? values["only"] : undefined,
  }
}

/** @param {readonly string[]} known @param {string | undefined} only */
function chooseParts(known, only) {
  if (only === undefined) return known
  if (known.length === 0) throw new Error(`${name} has no parts that --only could name.`)
  const chosen = only.split(",").map((part) => part.trim())
  const unknown = chosen.filter((part) => !known.includes(part))
  if (unknown.length > 0) throw new Error(`--only: there is no part ${unknown.join(", ")}, but ${known.join(", ")}.`)
  return known.filter((part) => chosen.includes(part))
}

/** Returns a generator that gives the same numbers for the same seed. @param {number} seed */
function seeded(seed) {
  let state = seed >>> 0
  return (/** @type {number} */ bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
