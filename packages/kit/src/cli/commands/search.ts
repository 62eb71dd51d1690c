import type { App } from "../../app/app.ts"
import { pinoLogger } from "../../drivers/log/pino-logger.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { type CommandArguments, CommandFailure, UsageError } from "../terminal/arguments.ts"
import { ProgressLine } from "../terminal/progress-line.ts"
import { showLine } from "../terminal/show.ts"
import { printJson } from "../terminal/standard-output.ts"
import { textTable } from "../terminal/text-table.ts"
import { openApp } from "./start.ts"

const LOG_LEVEL = "warn"
const HEAD = ["collection", "state", "rows"]

/** Shows how far the search index of each collection is built. */
export async function status({ values }: CommandArguments): Promise<void> {
  const indexes = await withApp((app) => app.searchIndexes.status())
  if (values["json"]) return printJson({ indexes })
  const rows = indexes.map(({ collection, state, done, total }) => [
    collection,
    state,
    state === "ready" ? String(total) : `${done} of ${total}`,
  ])
  for (const line of textTable([HEAD, ...rows])) showLine(line)
}

/** Rebuilds the search index of a collection, or of all searchable collections, one after the other. */
export async function reindex({ positionals }: CommandArguments): Promise<void> {
  const [collection, ...rest] = positionals
  if (rest.length > 0) throw new UsageError("Name one collection, or none for all: kit search reindex articles.")
  await withApp(async (app) => {
    const names = (await app.searchIndexes.status()).map((each) => each.collection)
    if (collection !== undefined && !names.includes(collection)) throw unknownCollection(collection, names)
    for (const name of collection === undefined ? names : [collection]) await rebuild(app, name)
  })
}

function unknownCollection(name: string, names: readonly string[]): UsageError {
  const hint = didYouMean(name, names)
  return new UsageError(`"${name}" is no searchable collection.${hint || ` There are: ${names.join(", ")}.`}`)
}

async function rebuild(app: App, collection: string): Promise<void> {
  const line = new ProgressLine(process.stdout)
  let rows = 0
  await app.searchIndexes.rebuild(collection, ({ done, total }) => {
    rows = done
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
    line.showTransient(`${collection}  ${done} of ${total} rows  ${percent} %`)
  })
  line.clear()
  showLine(`${collection}  ${rows} rows rebuilt`)
}

async function withApp<Result>(work: (app: App) => Promise<Result>): Promise<Result> {
  // Logs go to standard error, because standard output is for the result, which another program may read.
  const { app } = await openApp(process.cwd(), { logger: pinoLogger(LOG_LEVEL, process.stderr) })
  try {
    if ((await app.searchIndexes.status()).length === 0) {
      throw new CommandFailure("No collection is searchable. Declare .searchable({ fields: […] }) in one.")
    }
    return await work(app)
  } finally {
    await app.stop()
  }
}
