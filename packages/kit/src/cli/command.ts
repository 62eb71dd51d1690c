import type { CommandArguments } from "./terminal/arguments.ts"

export interface Option {
  readonly type: "string" | "boolean"
  /** The placeholder for its value in the help: `<port>`. */
  readonly value?: string
  /** The command cannot run without this option. */
  readonly isRequired?: true
  readonly purpose: string
}

export type Options = Readonly<Record<string, Option>>

/** The description of a command, and the function that loads it. */
export interface Command {
  /** The positional arguments in the help: `<id>`; none unless set. */
  readonly parameters?: string
  readonly purpose: string
  readonly options?: Options
  readonly examples: readonly string[]
  /** The command runs until it receives a signal; the process exits after every other command. */
  readonly isServing?: true
  /** Loads the command's module on demand, so that a start does not load the modules of other commands. */
  load(): Promise<(given: CommandArguments) => Promise<void>>
}
