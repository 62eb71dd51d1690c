import { chooseMode } from "../app/config/defaults.ts"
import { KIT_VERSION } from "../app/kit-version.ts"
import { didYouMean } from "../wire/errors/did-you-mean.ts"
import type { Command } from "./command.ts"
import { COMMANDS, GROUPS } from "./command-table.ts"
import { loadEnvFiles } from "./project/env-files.ts"
import { readArguments, UsageError } from "./terminal/arguments.ts"
import { explainFailure } from "./terminal/explain-failure.ts"
import { commandNames, helpFor, overview, subcommandsOf, usageOf } from "./terminal/help.ts"
import { writeTextAsJson } from "./terminal/json-output.ts"
import { reserveStdoutForData } from "./terminal/standard-output.ts"

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
  if (first === "--version" || first === "-v") return ended(showVersion())
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
  const unreadable = command.isOutsideApp
    ? undefined
    : await loadEnvFiles(process.cwd()).then(() => undefined, asFailure)
  const isLogged = command.isServing === true && isProduction(args)
  if (isLogged) writeTextAsJson()
  try {
    // Thrown here, so that the message is JSON if the other lines are.
    if (unreadable) throw unreadable.error
    const given = readArguments(args, command.options ?? {})
    if (command.parameters === undefined && given.positionals.length > 0)
      throw new UsageError(`Unexpected argument: "${given.positionals.join(" ")}".`)
    if (given.values["json"] && !isLogged) reserveStdoutForData()
    const run = await command.load()
    await run(given)
    return DONE
  } catch (error) {
    return reportError(error, name)
  }
}

function asFailure(error: unknown) {
  return { error }
}

// True if a command that serves the app runs in production. `kit dev` starts such a command for development.
function isProduction(args: readonly string[]): boolean {
  return !args.includes("--development") && chooseMode(undefined) === "production"
}

function reportError(error: unknown, name: string): number {
  if (error instanceof UsageError) return fail(`${error.message}\n${usageOf(name)}`, USAGE_ERROR)
  return fail(explainFailure(error))
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

function showVersion(): number {
  process.stdout.write(`${KIT_VERSION}\n`)
  return DONE
}

function fail(message: string, code = FAILED): number {
  process.stderr.write(`${message}\n`)
  return code
}
