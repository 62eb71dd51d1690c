import type { ReactNode } from "react"

/** Something that a person can choose in the palette. */
export interface Command {
  /** Unique in the palette. */
  readonly id: string
  readonly label: string
  /** A second line, in small letters. */
  readonly hint?: string | undefined
  readonly icon: ReactNode
  /** The address to which it leads. It can be opened in a new tab. */
  readonly path?: string
  /** True if it is offered for whatever is typed. */
  readonly isForAnyText?: boolean
  /** Runs the command, if it leads nowhere. */
  readonly run?: () => void
}

/** Commands below a heading. */
export interface Section {
  readonly title: string
  readonly commands: readonly Command[]
}
