import type { CommandArguments } from "./terminal/arguments.ts"

export interface Option {
  readonly type: "string" | "boolean"
  /** What stands for its value in the help: `<port>`. */
  readonly value?: string
  /** Whether the command cannot do without it. */
  readonly isNeeded?: true
  readonly purpose: string
}

export type Options = Readonly<Record<string, Option>>

/** What a command says about itself, and how it is found. */
export interface Command {
  /** What comes after its name, besides options: `<id>`; nothing unless set. */
  readonly takes?: string
  readonly purpose: string
  readonly options?: Options
  readonly examples: readonly string[]
  /** Whether it goes on until it is told to stop; every other command ends its process. */
  readonly isServing?: true
  /** Loads the command: a start should not wait for what only other commands need. */
  load(): Promise<(given: CommandArguments) => Promise<void>>
}
