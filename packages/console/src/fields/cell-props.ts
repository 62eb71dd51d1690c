import type { PartSchema, RelationSchema } from "kit/client"

/** The properties of a cell of a list. */
export interface CellProps {
  readonly part: PartSchema
  /** Undefined or null if there is no value. The related record, or the first related records, of a relation. */
  readonly value: unknown
  readonly relation?: RelationSchema | undefined
  /** The number of related records, if there may be several. */
  readonly count?: number | undefined
}
