import { chooseDatabase } from "../../app/config/defaults.ts"
import type { DatabaseOptions } from "../../app/definition/app-definition.ts"
import { openBulkSession } from "../../drivers/postgres/bulk-session.ts"
import { codeOf } from "../../drivers/postgres/errors.ts"
import { type CopyReport, copyDatabase } from "../../engine/copy-database/copy-database.ts"
import { CopyError } from "../../engine/copy-database/copy-error.ts"
import { SESSION_NAME } from "../../engine/copy-database/source-lock.ts"
import type { BulkSession } from "../../ports/bulk-session.ts"
import { UsageError } from "../terminal/arguments.ts"
import { printJson } from "../terminal/standard-output.ts"
import { indented, textTable } from "../terminal/text-table.ts"
import { CopyProgress } from "./copy-progress.ts"

interface CopyCommand {
  readonly source: DatabaseOptions
  readonly schemas: readonly string[]
  readonly allowOthers: boolean
  readonly asJson: boolean
}

const MAX_PORT = 65_535

/**
 * Checks the target database's connection string and returns it. The error message does not repeat the string, which
 * may contain a password.
 */
export function readTarget(address: string): string {
  if (/^postgres(ql)?:\/\/./.test(address) && hasPort(address)) return address
  throw new UsageError(
    "The target is not the address of a PostgreSQL. Write it as postgres://user:password@host:5432/name.",
  )
}

/** Copies the app's database to the target and shows the progress, then whether the two databases are equal. */
export async function copyTo(address: string, command: CopyCommand): Promise<void> {
  const { url, databaseNote, release } = await chooseDatabase(command.source)
  command.source.onProgress?.(`copying from ${databaseNote}`)
  try {
    await withSession("source", url, (source) =>
      withSession("target", address, (target) => copyBetween({ source, target }, command)),
    )
  } finally {
    await release()
  }
}

async function copyBetween(ends: { source: BulkSession; target: BulkSession }, command: CopyCommand): Promise<void> {
  // With --json, standard output is reserved for the copy's report.
  const progress = new CopyProgress(command.asJson ? process.stderr : process.stdout)
  const { schemas, allowOthers } = command
  const moving = copyDatabase({ ...ends, schemas, allowOthers, onEvent: (event) => progress.show(event) })
  const report = await moving.finally(() => progress.end())
  if (command.asJson) printJson(report)
  else process.stdout.write(indented(reportLines(report)))
  if (!report.isEqual) throw differenceError(report)
}

function differenceError({ tables, wasFinished }: CopyReport): CopyError {
  const names = tables.filter(({ isEqual }) => !isEqual).map(({ table }) => table)
  const advice = wasFinished
    ? "They were equal when the copy was finished: an app has written to one of them since."
    : "Another client has written to the target. Do not use it; start again with an empty database."
  return new CopyError(`The target differs from the source: ${names.join(", ")}. ${advice}`)
}

function reportLines({ tables, isEqual, warnings }: CopyReport): readonly string[] {
  const rows = tables.map(({ table, source, target, isEqual }) => [
    table,
    String(source.rows),
    String(target.rows),
    source.checksum,
    isEqual ? "equal" : `DIFFERS: ${target.checksum}`,
  ])
  return [
    ...textTable([["table", "rows", "in the target", "checksum", ""], ...rows]),
    ...warnings.map((text) => `note: ${text}`),
    ...(isEqual ? ["the target holds the same: set DATABASE_URL to its address and start the app", UNCHANGED] : []),
  ]
}

const UNCHANGED = "the database that was copied is unchanged; remove it when you no longer need it"

async function withSession(
  end: "source" | "target",
  url: string,
  work: (session: BulkSession) => Promise<void>,
): Promise<void> {
  const session = await openBulkSession({ url, name: SESSION_NAME }).catch((cause: unknown) => {
    throw new CopyError(`The ${end} cannot be opened: ${messageOf(cause)}. Check its address.`, { cause })
  })
  try {
    await work(session)
  } catch (cause) {
    throw cause instanceof CopyError || codeOf(cause) === undefined ? cause : interruptionError(cause)
  } finally {
    await session.close()
  }
}

function interruptionError(cause: unknown): CopyError {
  return new CopyError(
    `The copy was interrupted: ${messageOf(cause)}. Run it again: it continues where it stopped, and nothing is lost.`,
    { cause },
  )
}

// True if the port is valid or missing. The address is not parsed as a URL, because a Unix socket has a file path as
// its host, which is not a valid URL.
function hasPort(address: string): boolean {
  const [, port] = /^[^?]*:(\d+)(?:\/|\?|$)/.exec(address) ?? []
  return port === undefined || Number(port) <= MAX_PORT
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
