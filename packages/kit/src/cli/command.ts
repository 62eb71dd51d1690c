import type { CommandArguments } from "./terminal/arguments.ts"

export interface Option {
  readonly type: "string" | "boolean"
  /** The placeholder for the option's value in the help, such as `<port>`. */
  readonly value?: string
  /** True if the command cannot run without this option. */
  readonly isRequired?: true
  readonly purpose: string
}

export type Options = Readonly<Record<string, Option>>

/** Describes a command, with the function that loads its module. */
export interface Command {
  /** The positional arguments as the help shows them, such as `<id>`; none unless set. */
  readonly parameters?: string
  readonly purpose: string
  readonly options?: Options
  readonly examples: readonly string[]
  /** True if the command runs until it receives a signal. After every other command the process exits. */
  readonly isServing?: true
  /** True if the command does not run in an app's folder. Every other command reads the app's `.env` files. */
  readonly isOutsideApp?: true
  /** Loads the command's module on demand, so that a start does not load the modules of other commands. */
  load(): Promise<(given: CommandArguments) => Promise<void>>
}
