import { chooseDatabase } from "../../app/config/defaults.ts"
import { showDatabase } from "../database/database-status.ts"
import { findDatabase, showNote } from "../database/find-database.ts"
import { type CommandArguments, readSchemaNames, UsageError } from "../terminal/arguments.ts"
import { printData, printJson, reserveStdoutForData } from "../terminal/standard-output.ts"
import { stopOnSignal } from "../terminal/stop-on-signal.ts"
import { copyTo, readTarget } from "./copy-command.ts"

const LONG_MS = 2 ** 30

/**
 * Prints the database's connection string, including the password, to standard output for other programs. Notes go to
 * standard error.
 */
export async function url({ values }: CommandArguments): Promise<void> {
  reserveStdoutForData()
  const { url: address, isEmbedded, release } = await chooseDatabase(await findDatabase())
  if (values["json"]) printJson({ url: address, isEmbedded })
  else printData(address)
  if (!isEmbedded) return release()
  if (values["wait"]) return keepRunning(release)
  showNote("the database runs only while a kit process uses it; kit db url --wait keeps it running until Ctrl-C")
  await release()
}

// Keeps the process alive with a timer, because using the database does not; a signal ends the process.
function keepRunning(release: () => Promise<void>): Promise<never> {
  setInterval(() => {}, LONG_MS)
  stopOnSignal({ stop: release })
  showNote("running until Ctrl-C")
  return new Promise(() => {})
}

/** Shows the location and the contents of the app's database. */
export async function status({ values }: CommandArguments): Promise<void> {
  const place = await findDatabase()
  await showDatabase(place, { migrationsFolder: place.migrationsFolder, asJson: values["json"] === true })
}

/** Copies the app's database into another database. */
export async function copyDatabase({ positionals, values }: CommandArguments): Promise<void> {
  const [address, ...more] = positionals
  if (address === undefined) throw new UsageError("Say where to: kit db move postgres://user:password@host:5432/name.")
  if (more.length > 0) throw new UsageError(`Unexpected argument: "${more.join(" ")}".`)
  await copyTo(readTarget(address), {
    source: await findDatabase(),
    schemas: readSchemaNames(values["schema"]),
    allowOthers: values["allow-others"] === true,
    asJson: values["json"] === true,
  })
}
