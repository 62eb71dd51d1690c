import { parseArgs } from "node:util"

/** A mistake in how the command was called: shown without a stack. */
export class UsageError extends Error {}

export interface CommandArguments {
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | undefined>>
}

type Options = Readonly<Record<string, { type: "string" | "boolean" }>>

/** Reads the arguments after the command's name; unknown ones are refused. */
export function readArguments(args: readonly string[], options: Options): CommandArguments {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { positionals, values: values as CommandArguments["values"] }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

export function readPort(value: string | boolean | undefined): number {
  const text = value ?? process.env["PORT"] ?? "3000"
  const port = typeof text === "string" && /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port < 0 || port > 65_535) throw new UsageError(`--port: "${text}" is not a port. Give a number from 0 to 65535.`)
  return port
}
