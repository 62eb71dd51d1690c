import type { PartSchema } from "kit/client"
import type { ComponentType, ReactNode } from "react"
import type { Path } from "../../form/path.ts"

/** A value of the form: its description, and its place. */
export interface PartProps {
  readonly part: PartSchema
  readonly path: Path
}

/**
 * The props of an editor of a value with parts of its own. The editor draws its label itself, and subscribes to no more
 * of the value than it shows, so that a key in one part does not render the others.
 */
export interface GroupProps extends PartProps {
  /** Draws a part with its label, its editor and its problems. A group gets it, because it may contain any type. */
  readonly Part: ComponentType<PartProps>
  /** Stands beside the label, such as the language of a localized field. */
  readonly mark?: ReactNode
}
