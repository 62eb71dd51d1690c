import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseStartError } from "../app/config/database-start-error.ts"
import { AppMistakesError } from "../app/definition/app-mistakes.ts"
import { PostgresError } from "../drivers/postgres/errors.ts"
import { SchemaMismatchError } from "../engine/migrate/schema-mismatch.ts"
import { didYouMean } from "../wire/errors/did-you-mean.ts"
import type { Command } from "./command.ts"
import { COMMANDS, GROUPS } from "./command-table.ts"
import { PACKAGE_ROOT } from "./package-root.ts"
import { loadEnvFiles } from "./project/env-files.ts"
import { CommandFailure, readArguments, UsageError } from "./terminal/arguments.ts"
import { commandNames, helpFor, overview, subcommandsOf, usageOf } from "./terminal/help.ts"
import { reserveStdoutForData } from "./terminal/standard-output.ts"

const DATABASE_HINT = "Check DATABASE_URL (or db.url in kit.config.ts); without it the embedded database is used."
const DONE = 0
const FAILED = 1
const USAGE_ERROR = 2

interface Outcome {
  readonly code: number
  /** True if the process keeps running until a signal stops it. */
  readonly isServing: boolean
}

/** Runs the command that the command-line arguments name. */
export async function runCommand(args: readonly string[]): Promise<Outcome> {
  const [first = "help", ...rest] = args
  if (first === "--version" || first === "-v") return ended(await showVersion())
  if (first === "help" || isHelpFlag(first)) return ended(showHelp(rest.filter((word) => !word.startsWith("-"))))
  const { name, given } = findCommand(first, rest)
  if (asksForHelp(given)) return ended(showHelp([name]))
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return ended(reportUnknownCommand(first, rest[0] ?? ""))
  const code = await runLoaded(name, command, given)
  return { code, isServing: code === DONE && command.isServing === true }
}

function ended(code: number): Outcome {
  return { code, isServing: false }
}

/** Splits the command from its arguments: `jobs list --json` is the command "jobs list" with the argument `--json`. */
function findCommand(first: string, rest: readonly string[]): { name: string; given: readonly string[] } {
  const [task = "", ...given] = rest
  return subcommandsOf(first).includes(task) ? { name: `${first} ${task}`, given } : { name: first, given: rest }
}

async function runLoaded(name: string, command: Command, args: readonly string[]): Promise<number> {
  try {
    const given = readArguments(args, command.options ?? {})
    if (command.parameters === undefined && given.positionals.length > 0)
      throw new UsageError(`Unexpected argument: "${given.positionals.join(" ")}".`)
    if (given.values["json"]) reserveStdoutForData()
    if (!command.isOutsideApp) await loadEnvFiles(process.cwd())
    const run = await command.load()
    await run(given)
    return DONE
  } catch (error) {
    return reportError(error, name)
  }
}

function reportError(error: unknown, name: string): number {
  if (error instanceof UsageError) return fail(`${error.message}\n${usageOf(name)}`, USAGE_ERROR)
  if (error instanceof PostgresError) return fail(`${error.message}\n${DATABASE_HINT}`)
  if (isExplained(error)) return fail(error.message)
  return fail(error instanceof Error ? `${error.stack}` : String(error))
}

// Error classes whose messages are written for the user and are shown without a stack.
const EXPLAINED = [CommandFailure, AppMistakesError, SchemaMismatchError, DatabaseStartError]

function isExplained(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  // True for errors such as a full disk: Node's message names the file path, and a stack would not help.
  const isOfSystem = "syscall" in error && "path" in error
  return isOfSystem || EXPLAINED.some((kind) => error instanceof kind)
}

function reportUnknownCommand(first: string, task: string): number {
  if (!Object.hasOwn(GROUPS, first)) {
    const remedy = didYouMean(first, [...commandNames(), "help"])
    return fail(`There is no command "${first}".${remedy} kit help lists them.`, USAGE_ERROR)
  }
  const known = subcommandsOf(first)
  const message =
    task === "" || task.startsWith("-")
      ? `Say what to do: kit ${first} ${known.join("|")}.`
      : `There is no "kit ${first} ${task}".${didYouMean(task, known)}`
  return fail(`${message}\n${usageOf(first)}`, USAGE_ERROR)
}

function isHelpFlag(word: string): boolean {
  return word === "--help" || word === "-h"
}

function asksForHelp(given: readonly string[]): boolean {
  const end = given.indexOf("--")
  return given.slice(0, end < 0 ? given.length : end).some(isHelpFlag)
}

function showHelp(words: readonly string[]): number {
  const name = words.join(" ")
  const lines = name === "" ? overview() : helpFor(name)
  if (lines === undefined) return reportUnknownCommand(words[0] ?? "", words[1] ?? "")
  process.stdout.write(`${lines.join("\n")}\n`)
  return DONE
}

async function showVersion(): Promise<number> {
  const { version }: { version: string } = JSON.parse(await readFile(join(PACKAGE_ROOT, "package.json"), "utf8"))
  process.stdout.write(`${version}\n`)
  return DONE
}

function fail(message: string, code = FAILED): number {
  process.stderr.write(`${message}\n`)
  return code
}
