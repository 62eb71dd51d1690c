import type { BusConfig } from "../../app/config/bus-config.ts"
import { chooseDatabase, hasDatabase } from "../../app/config/defaults.ts"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import { openBus } from "../../app/parts/bus-part.ts"
import { codeOf } from "../../drivers/postgres/errors.ts"
import { openPostgres } from "../../drivers/postgres/open-postgres.ts"
import { SchemaMismatchError } from "../../engine/migrate/schema-mismatch.ts"
import { cancelJob, getJob, type JobRecord, listJobs, retryJobNow } from "../../features/jobs/job-admin.ts"
import { JobQueue } from "../../features/jobs/job-queue.ts"
import type { Database } from "../../ports/database.ts"
import { JOB_STATES, type JobState } from "../../sql/internal/job-tables.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { loadConfig } from "../sources/load-app.ts"
import { type CommandArguments, CommandFailure, UsageError } from "../terminal/arguments.ts"
import { printable } from "../terminal/printable.ts"
import { showLine } from "../terminal/show.ts"
import { printJson } from "../terminal/standard-output.ts"
import { textTable } from "../terminal/text-table.ts"

interface JobsConnection {
  readonly database: Database
  readonly url: string
  /** The configuration of the message bus that notifies the workers. */
  readonly bus: BusConfig | undefined
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1000

/** Lists the stored jobs, the newest first. */
export async function list({ values }: CommandArguments): Promise<void> {
  const filter = readFilter(values)
  const limit = readLimit(values["limit"])
  // Reads one job more than is shown, to know if there are further jobs.
  const found = await withJobs(({ database }) => listJobs(database, { ...filter, limit: limit + 1 }))
  const shown = found.slice(0, limit)
  if (values["json"]) return showJson(shown)
  if (shown.length === 0) return showLine(`there are no jobs${filterText(filter)}`)
  for (const line of textTable([HEAD, ...shown.map(cellsOf)])) showLine(line)
  if (found.length > limit) showLine(`there are more than these ${limit}: --limit shows up to ${MAX_LIMIT}`)
}

interface Filter {
  readonly state?: JobState
  readonly name?: string
}

function readFilter({ state, name }: CommandArguments["values"]): Filter {
  return { ...(typeof state === "string" && { state: readState(state) }), ...(typeof name === "string" && { name }) }
}

function readState(text: string): JobState {
  const state = JOB_STATES.find((known) => known === text)
  if (state !== undefined) return state
  throw new UsageError(`--state: "${text}" is not a state of a job.${didYouMean(text, JOB_STATES)}`)
}

function readLimit(value: string | boolean | undefined): number {
  if (value === undefined) return DEFAULT_LIMIT
  const limit = typeof value === "string" && /^\d{1,4}$/.test(value) ? Number(value) : 0
  if (limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new UsageError(`--limit: "${value}" is not a number of jobs. Give a number from 1 to ${MAX_LIMIT}.`)
}

function filterText({ state, name }: Filter): string {
  return `${state === undefined ? "" : ` in state ${state}`}${name === undefined ? "" : ` with the name "${name}"`}`
}

function showJson(records: readonly JobRecord[]): void {
  for (const record of records) printJson(record)
}

const HEAD = ["id", "name", "state", "attempts", "when", "error"]

const MAX_ERROR_CHARACTERS = 100

function cellsOf(record: JobRecord): string[] {
  const { id, name, state, attempts, maxAttempts, error } = record
  const [firstLine = ""] = (error ?? "").split("\n", 1)
  const isLong = firstLine.length > MAX_ERROR_CHARACTERS
  const reason = isLong ? `${firstLine.slice(0, MAX_ERROR_CHARACTERS).toWellFormed()}…` : firstLine
  return [id, printable(name), state, `${attempts}/${maxAttempts}`, timeOf(momentOf(record)), printable(reason)]
}

function momentOf({ state, runAt, startedAt, finishedAt }: JobRecord): Date | null {
  if (state === "failed") return finishedAt
  return state === "running" ? startedAt : runAt
}

/** Shows all details of a job. */
export async function show({ positionals, values }: CommandArguments): Promise<void> {
  const id = readId("show", positionals)
  const record = await withJobs(({ database }) => findJob(database, id))
  if (values["json"]) return showJson([record])
  const facts = factsOf(record)
  const width = Math.max(...Object.keys(facts).map((label) => label.length))
  for (const [label, text] of Object.entries(facts)) {
    const [first = "", ...more] = text.split("\n").map(printable)
    showLine(`${label.padEnd(width)}  ${first}`)
    for (const line of more) showLine(`${" ".repeat(width)}  ${line}`)
  }
}

function factsOf(record: JobRecord): Readonly<Record<string, string>> {
  return {
    id: record.id,
    name: record.name,
    state: record.state,
    attempts: `${record.attempts} of ${record.maxAttempts}`,
    priority: String(record.priority),
    key: record.singletonKey ?? "none",
    "published by": record.publishedBy ?? "system code",
    created: timeOf(record.createdAt),
    "runs from": timeOf(record.runAt),
    started: timeOf(record.startedAt),
    finished: timeOf(record.finishedAt),
    worker: record.worker ?? "none",
    payload: JSON.stringify(record.payload, null, 2),
    error: record.error ?? "none",
  }
}

function timeOf(moment: Date | null): string {
  return moment?.toISOString() ?? "never"
}

const CANNOT_RETRY: Readonly<Record<JobState, string>> = {
  waiting: "waits for a worker already.",
  running: "is running. Wait until it has ended; if it fails for good, it can be retried.",
  scheduled: "has just changed. Try again.",
  failed: "has just changed. Try again.",
}

/** Runs a failed job again, or runs a scheduled job now. */
export async function retry({ positionals }: CommandArguments): Promise<void> {
  const id = readId("retry", positionals)
  await withJobs(async (jobs) => {
    const { database } = jobs
    const { name, maxAttempts } = await findJob(database, id)
    const isRetried = await withQueue(jobs, (queue) => retryJobNow({ queue, dueNow: () => null }, database, id))
    if (!isRetried) throw new CommandFailure(`Job ${id} ${CANNOT_RETRY[(await findJob(database, id)).state]}`)
    const tries = maxAttempts === 1 ? "one try" : `${maxAttempts} tries`
    showLine(`${printable(name)} ${id} now waits for a worker, with ${tries}`)
  })
}

/** Deletes a job. */
export async function cancel({ positionals }: CommandArguments): Promise<void> {
  const id = readId("cancel", positionals)
  await withJobs(async ({ database }) => {
    const { name, state } = await findJob(database, id)
    if (!(await cancelJob(database, id))) throw new CommandFailure(`Job ${id} has just ended.`)
    const note = state === "running" ? "; it was running, and what its transaction writes is rolled back" : ""
    showLine(`removed ${printable(name)} ${id}${note}`)
  })
}

function readId(task: string, [id, ...more]: readonly string[]): string {
  if (id === undefined) throw new UsageError(`Say which job: kit jobs ${task} <id>. kit jobs list shows the ids.`)
  if (more.length > 0) throw new UsageError(`Give one id, not ${more.length + 1}.`)
  return id
}

async function findJob(database: Database, id: string): Promise<JobRecord> {
  const record = await getJob(database, id)
  if (record !== undefined) return record
  throw new CommandFailure(`There is no job "${id}": it has completed, was removed, or never existed.`)
}

const UNDEFINED_TABLE = "42P01"

/**
 * Runs `work` with the app's database. Only the app's configuration is loaded, so mistakes in its other files do not
 * matter.
 */
async function withJobs<Result>(work: (jobs: JobsConnection) => Promise<Result>): Promise<Result> {
  const root = process.cwd()
  const { config, mistakes } = await loadConfig(root)
  if (mistakes.length > 0) throw new AppMistakesError(mistakes)
  if (!hasDatabase({ config, root })) throw new SchemaMismatchError("There is no database yet. Start the app once.")
  // Progress goes to standard error, because standard output is reserved for the list of jobs, which another program
  // may read.
  const onProgress = (message: string) => void process.stderr.write(`  ${message}\n`)
  const { url, release } = await chooseDatabase({ config, root, onProgress })
  const database = openPostgres({ ...config.db, url })
  try {
    return await work({ database, url, bus: config.bus })
  } catch (cause) {
    if (codeOf(cause) !== UNDEFINED_TABLE) throw cause
    throw new SchemaMismatchError("The database has no table of jobs yet. Start the app once, or run kit migrate up.", {
      cause,
    })
  } finally {
    await database.close()
    await release()
  }
}

/** Runs `work` with a queue that notifies the workers. Without the message bus, they find the job a little later. */
async function withQueue<Result>(jobs: JobsConnection, work: (queue: JobQueue) => Promise<Result>): Promise<Result> {
  let isTried = () => {}
  const tried = new Promise<void>((resolve) => {
    isTried = resolve
  })
  const bus = openBus({ config: jobs.bus, url: jobs.url, connection: jobs.database, onError: isTried })
  const queue = new JobQueue({ bus, now: () => new Date(), dueNow: () => null })
  // Waits until the message bus has connected or failed, because a notification that is sent before the bus has
  // connected is lost when the bus is closed.
  const stopListening = queue.subscribe(isTried)
  await tried
  try {
    return await work(queue)
  } finally {
    stopListening()
    await bus.close()
  }
}
