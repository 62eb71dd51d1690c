import type { FieldSchema, RelationSchema } from "kit/client"

/** What the editor of the value in a filter gets. */
export interface FilterProps {
  readonly field: FieldSchema
  readonly relation: RelationSchema | undefined
  /** Undefined until something has been chosen. */
  readonly operand: unknown
  readonly onChange: (operand: unknown) => void
  /** What screen readers call the editor. */
  readonly label: string
}
