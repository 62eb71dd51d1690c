import { parseArgs } from "node:util"
import { readVariable } from "../../app/config/environment.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"

/** A mistake in the command-line arguments. It is shown with the command's usage, and the exit code is 2. */
export class UsageError extends Error {}

/** A failure whose message is written for the user and is shown without a stack. */
export class CommandFailure extends Error {}

export interface CommandArguments {
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | undefined>>
}

type Options = Readonly<Record<string, { type: "string" | "boolean" }>>

/** Reads the arguments that follow the command's name; refuses unknown options. */
export function readArguments(args: readonly string[], options: Options): CommandArguments {
  refuseUnknownOptions(args, options)
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { positionals, values: values as CommandArguments["values"] }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function refuseUnknownOptions(args: readonly string[], options: Options): void {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const known = Object.keys(options)
  const isKnown = (rawName: string) => known.some((name) => rawName === `--${name}`)
  for (const token of tokens) {
    if (token.kind !== "option" || isKnown(token.rawName)) continue
    const remedy = known.length === 0 ? " It takes no options." : didYouMean(token.name, known, "--")
    throw new UsageError(`There is no option "${token.rawName}".${remedy}`)
  }
}

export function readHost(value: string | boolean | undefined): string {
  return String(value ?? readVariable("HOST") ?? "localhost")
}

export function readPort(value: string | boolean | undefined): number {
  const text = value ?? readVariable("PORT") ?? "3000"
  const name = value === undefined ? "PORT" : "--port"
  const port = typeof text === "string" && /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port < 0 || port > 65_535)
    throw new UsageError(`${name}: "${text}" is not a port. Give a number from 0 to 65535.`)
  return port
}

/** Returns the names in the value of `--schema`, which are separated by commas; an empty list if it is not set. */
export function readSchemaNames(value: string | boolean | undefined): readonly string[] {
  return typeof value === "string" ? value.split(",").map((name) => name.trim()) : []
}

/** Returns the path of the archive, which is the only positional argument of a command. */
export function readArchivePath([path, ...more]: readonly string[], example: string): string {
  if (path === undefined || path === "") throw new UsageError(`Say which file: ${example}.`)
  if (more.length > 0) throw new UsageError(`Give one file, not ${more.length + 1}.`)
  return path
}
