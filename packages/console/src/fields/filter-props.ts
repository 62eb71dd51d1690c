import type { FieldSchema, RelationSchema } from "kit/client"

/** The properties of the editor of the value in a filter. */
export interface FilterProps {
  readonly field: FieldSchema
  readonly relation: RelationSchema | undefined
  /** Undefined until something has been chosen. */
  readonly operand: unknown
  readonly onChange: (operand: unknown) => void
  /** The name of the editor for screen readers. */
  readonly label: string
}
