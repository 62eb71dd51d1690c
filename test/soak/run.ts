// Runs one of the long experiments (README.md).
//   npm run soak -- live [--topics 200] [--batches 50] [--seed 7]
//   npm run soak -- fair [--only with,bulk]
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { startEmbeddedPostgres } from "../../packages/kit/src/drivers/embedded-postgres/start.ts"
import { NON_DURABLE_SETTINGS } from "../../packages/kit/src/testing/test-server.ts"
import { newSeededRandom, seededRandom } from "../support/seeded-random.ts"
import { EXPERIMENTS } from "./experiments.ts"

const [name = ""] = process.argv.slice(2)
const experiment = EXPERIMENTS[name]
if (!experiment) throw new Error(`Name an experiment: ${Object.keys(EXPERIMENTS).join(", ")}.`)
const { sizes, random, only, isFull } = readOptions(experiment.sizes)
const parts = chooseParts(experiment.parts ?? [], only)
console.log({ experiment: name, seed: random.seed, ...sizes, ...(only && { only }) })

const folder = await mkdtemp(join(tmpdir(), "kit-soak-"))
// PostgreSQL never runs as root: its own user must be able to enter the folder.
await chmod(folder, 0o755)
const settings = experiment.isWithoutCrash ? { settings: NON_DURABLE_SETTINGS } : {}
const embedded = await startEmbeddedPostgres({ directory: join(folder, "db"), ...settings })
try {
  const startedAt = performance.now()
  const { figures, isBroken } = await experiment.run({ url: embedded.url, folder, below: random.below, sizes, parts })
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const text = JSON.stringify({ seed: random.seed, ...figures, seconds }, null, 2)
  console.log(text)
  // A smaller run does not overwrite the figures of the full run.
  const results = new URL(isFull ? "results/" : "results/small/", import.meta.url)
  await mkdir(results, { recursive: true })
  await writeFile(new URL(`${name}.json`, results), `${text}\n`)
  console.log(isBroken ? `${name}: a promise is broken.` : `${name}: every promise is kept.`)
  if (isBroken) process.exitCode = 1
} finally {
  await embedded.release()
  await rm(folder, { recursive: true, force: true })
}

function readOptions(usual: Readonly<Record<string, number>>) {
  const names = [...Object.keys(usual), "seed", "only"]
  const options = Object.fromEntries(names.map((option) => [option, { type: "string" as const }]))
  const { values }: { values: Record<string, unknown> } = parseArgs({ allowPositionals: true, options })
  const { seed, only, ...given } = values
  const asked = Object.entries(given).map(([size, text]) => [size, readNumber(size, text)])
  return {
    sizes: { ...usual, ...Object.fromEntries(asked) },
    random: seed === undefined ? seededRandom() : newSeededRandom(readNumber("seed", seed)),
    only: typeof only === "string" ? only : undefined,
    isFull: only === undefined && asked.length === 0,
  }
}

function readNumber(option: string, text: unknown): number {
  if (!/^\d+$/.test(String(text))) throw new Error(`--${option} takes a whole number, not "${text}".`)
  return Number(text)
}

function chooseParts(known: readonly string[], only: string | undefined) {
  if (only === undefined) return known
  if (known.length === 0) throw new Error(`${name} has no parts that --only could name.`)
  const chosen = only.split(",").map((part) => part.trim())
  const unknown = chosen.filter((part) => !known.includes(part))
  if (unknown.length > 0) throw new Error(`--only: there is no part ${unknown.join(", ")}, but ${known.join(", ")}.`)
  return known.filter((part) => chosen.includes(part))
}
