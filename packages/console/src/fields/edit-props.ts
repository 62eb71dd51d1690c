import type { PartSchema } from "kit/client"
import type { Path } from "../form/path.ts"

/** The properties of the editor of a value. The label, the hint and the problems are drawn around it. */
export interface EditProps {
  readonly part: PartSchema
  /** Where the value stands. Editors of values with parts of their own render a `PartField` for each of them. */
  readonly path: Path
  /** Undefined or null if there is no value. */
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** Called when the person leaves the editor. */
  readonly onLeave: () => void
  /** The id of the element that the label names. */
  readonly inputId: string
  /** The id of the label, for `aria-labelledby` of an editor that is made of several elements. */
  readonly labelId: string
  /** The ids of hint and problem, for `aria-describedby`. */
  readonly describedBy: string | undefined
  readonly isReadOnly: boolean
  readonly isInvalid: boolean
}
