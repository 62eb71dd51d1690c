/** The position of a condition in a filter. */
export interface FieldPosition {
  /** The path of the condition in the request's options. */
  readonly path: string
  /** The number of filters in which this filter is nested. */
  readonly depth: number
}

/**
 * The operators that replace `eq` and `ne` if the operand is null, because a comparison with null is never true in SQL.
 * This applies to JSON fields too: writing null to such a field empties it, and does not store a JSON null.
 */
export const NULLNESS: ReadonlyMap<string, string> = new Map([
  ["eq", "isNull"],
  ["ne", "isNotNull"],
])

export function inside<Position extends FieldPosition>(position: Position, name: string): Position {
  return { ...position, path: `${position.path}.${name}` }
}

export function deeper<Position extends FieldPosition>(position: Position): Position {
  return { ...position, depth: position.depth + 1 }
}

/** True if the value is an object of conditions or of operators. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
