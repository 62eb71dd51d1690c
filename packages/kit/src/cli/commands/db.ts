import type { DatabasePlace } from "../../app/app-definition.ts"
import { AppMistakesError } from "../../app/app-mistakes.ts"
import { chooseDatabase, hasDatabase } from "../../app/defaults.ts"
import { SchemaMismatchError } from "../../engine/migrate/schema-mismatch.ts"
import { didYouMean } from "../../wire/did-you-mean.ts"
import { readArguments, UsageError } from "../arguments.ts"
import { showDatabase } from "../database-status.ts"
import { loadConfig } from "../load-app.ts"
import { moveTo, readTarget } from "../move-command.ts"
import { stopOnSignal } from "../stop-on-signal.ts"

const TASKS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = { url, status, move }

/** Shows where the app's database is and what is in it, and copies it into another one. */
export async function db([task = "", ...args]: readonly string[]): Promise<void> {
  const run = Object.hasOwn(TASKS, task) ? TASKS[task] : undefined
  if (run === undefined) throw unknownTask(task)
  await run(args)
}

function unknownTask(task: string): UsageError {
  const known = Object.keys(TASKS)
  if (task === "" || task.startsWith("-")) return new UsageError(`Say what to do: kit db ${known.join("|")}.`)
  return new UsageError(`There is no "kit db ${task}".${didYouMean(task, known)}`)
}

const LONG_MS = 2 ** 30

const URL_OPTIONS = { wait: { type: "boolean" }, json: { type: "boolean" } } as const

/** The address goes to standard output with its password, for other programs; what people should know goes beside it. */
async function url(args: readonly string[]): Promise<void> {
  const { positionals, values } = readArguments(args, URL_OPTIONS)
  refuseMore(positionals)
  const { url: address, isEmbedded, release } = await chooseDatabase(await findPlace())
  const text = values["json"] ? JSON.stringify({ url: address, isEmbedded }) : address
  process.stdout.write(`${text}\n`)
  if (!isEmbedded) return release()
  if (values["wait"]) return keepRunning(release)
  note("it is there as long as a kit process uses it; kit db url --wait keeps it running until Ctrl-C")
  await release()
}

// A server that is merely held does not keep this process alive, so a timer does; the signal ends the process.
function keepRunning(release: () => Promise<void>): void {
  setInterval(() => {}, LONG_MS)
  stopOnSignal(release)
  note("running until Ctrl-C")
}

const STATUS_OPTIONS = { json: { type: "boolean" } } as const

async function status(args: readonly string[]): Promise<void> {
  const { positionals, values } = readArguments(args, STATUS_OPTIONS)
  refuseMore(positionals)
  await showDatabase(await findPlace(), { asJson: values["json"] === true })
}

const MOVE_OPTIONS = {
  schema: { type: "string" },
  "allow-others": { type: "boolean" },
  json: { type: "boolean" },
} as const

async function move(args: readonly string[]): Promise<void> {
  const { positionals, values } = readArguments(args, MOVE_OPTIONS)
  const [address, ...more] = positionals
  if (address === undefined) throw new UsageError("Say where to: kit db move postgres://user:password@host:5432/name.")
  refuseMore(more)
  const schema = values["schema"]
  await moveTo(readTarget(address), {
    place: await findPlace(),
    schemas: typeof schema === "string" ? schema.split(",").map((name) => name.trim()) : [],
    allowOthers: values["allow-others"] === true,
    asJson: values["json"] === true,
  })
}

function refuseMore(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`There is nothing to say after it: "${positionals.join(" ")}".`)
}

/** Where the database of the app in this folder is. The app itself is not loaded, so a mistake in it is no obstacle. */
async function findPlace(): Promise<DatabasePlace> {
  const root = process.cwd()
  const { config, mistakes } = await loadConfig(root)
  if (mistakes.length > 0) throw new AppMistakesError(mistakes)
  if (!hasDatabase({ config, root })) throw new SchemaMismatchError("There is no database yet. Start the app once.")
  return { config, root, onProgress: note }
}

// Standard output is for what another program may read.
function note(message: string): void {
  process.stderr.write(`  ${message}\n`)
}
