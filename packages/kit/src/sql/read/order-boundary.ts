import type { OrderKey } from "../parse/parse-order.ts"
import type { Parameters } from "../text/fragment.ts"

/**
 * A position in an ordered list: just before or just after a record. The record may no longer exist: the values by which
 * it was sorted say where it was.
 */
export interface Boundary {
  readonly side: "before" | "after"
  /** The record's value of each sort key, as Postgres writes it as text. */
  readonly values: readonly (string | null)[]
}

/** A sort key, and the SQL of its value in a row. */
export interface SortedValue {
  readonly key: OrderKey
  readonly sql: string
  /** True unless kit itself sets the value in every row. */
  readonly isNullable: boolean
}

/** The SQL conditions that a row comes before or behind a boundary. Each row satisfies exactly one of them. */
export interface BoundarySql {
  readonly isAhead: SideSql
  readonly isBehind: SideSql
}

/** The SQL condition that a row is on one side of a boundary. */
export interface SideSql {
  readonly condition: string
  /**
   * The condition as two, if null is among the values of its first key: each row on this side satisfies one of them. An
   * index finds the rows of each, but not those of both together.
   */
  readonly halves: readonly [string, string] | undefined
}

/** Returns the SQL conditions that a row comes before or behind the boundary. */
export function boundarySql(
  sorted: readonly SortedValue[],
  { side, values }: Boundary,
  parameters: Parameters,
): BoundarySql {
  const keys = sorted.map(({ key, sql, isNullable }, index): ComparedKey => {
    const value = values[index] ?? null
    const bound = value === null ? null : parameters.add(value) + castTo(key)
    return { sql, value: bound, isNullable, isLess: key.direction === "asc" }
  })
  return {
    isAhead: sideSql(keys, side === "after"),
    isBehind: sideSql(keys.map(opposite), side === "before"),
  }
}

interface ComparedKey {
  readonly sql: string
  /** The SQL of the boundary's value; null if the value is null. */
  readonly value: string | null
  readonly isNullable: boolean
  /** True if rows with a lower value satisfy the condition, false if those with a greater one do. Null is the greatest. */
  readonly isLess: boolean
}

// Returns the SQL that casts the text of a value back to the type of its key. A length or precision is left out: it
// could only change the value.
function castTo({ field }: OrderKey): string {
  return `::${field.type.sqlType.replace(/\([^)]*\)/, "")}`
}

function opposite(key: ComparedKey): ComparedKey {
  return { ...key, isLess: !key.isLess }
}

// Returns the SQL of the rows whose values come before those of the boundary in the order of the keys. With `hasEqual`, a
// row with the same values is one of them.
function sideSql(keys: readonly ComparedKey[], hasEqual: boolean): SideSql {
  return { condition: compared(keys, hasEqual), halves: halvesOf(keys, hasEqual) }
}

function compared(keys: readonly ComparedKey[], hasEqual: boolean): string {
  if (keys.every(isBelow)) return comparedAsRow(keys, hasEqual ? "<=" : "<")
  if (keys.every(isAbove)) return comparedAsRow(keys, hasEqual ? ">=" : ">")
  const chain = comparedByKey(keys, hasEqual)
  const start = keys[0] && isFirstOrEqual(keys[0])
  // The condition on the first key alone follows from the others. Postgres can find its rows by an index.
  return start === undefined ? chain : `(${start} and ${chain})`
}

function halvesOf([first, ...others]: readonly ComparedKey[], hasEqual: boolean): SideSql["halves"] {
  if (first === undefined || !first.isNullable || first.isLess !== (first.value === null)) return undefined
  const { sql, isLess } = first
  if (isLess) return [`${sql} is null and ${compared(others, hasEqual)}`, `${sql} is not null`]
  return [compared([{ ...first, isNullable: false }, ...others], hasEqual), `${sql} is null`]
}

// True if Postgres can compare the key as a part of a row, which an index serves. A row with null is neither less nor
// greater in such a comparison, which is right only for less.
function isBelow({ value, isLess }: ComparedKey): boolean {
  return value !== null && isLess
}

function isAbove({ value, isLess, isNullable }: ComparedKey): boolean {
  return value !== null && !isLess && !isNullable
}

function comparedAsRow(keys: readonly ComparedKey[], operator: string): string {
  return `(${keys.map(({ sql }) => sql).join(", ")}) ${operator} (${keys.map(({ value }) => value).join(", ")})`
}

function comparedByKey([key, ...others]: readonly ComparedKey[], hasEqual: boolean): string {
  if (key === undefined) return String(hasEqual)
  const [first, rest] = [isFirst(key), comparedByKey(others, hasEqual)]
  return `(${first} or (${isEqual(key)} and ${rest}))`
}

// Returns the SQL condition that a row has a value that comes before the boundary's one.
function isFirst({ sql, value, isLess, isNullable }: ComparedKey): string {
  if (isLess) return value === null ? `${sql} is not null` : `${sql} < ${value}`
  if (value === null) return "false"
  return isNullable ? `(${sql} > ${value} or ${sql} is null)` : `${sql} > ${value}`
}

function isEqual({ sql, value }: ComparedKey): string {
  return value === null ? `${sql} is null` : `${sql} = ${value}`
}

function isFirstOrEqual({ sql, value, isLess, isNullable }: ComparedKey): string | undefined {
  if (isLess) return value === null ? undefined : `${sql} <= ${value}`
  if (value === null) return `${sql} is null`
  return isNullable ? undefined : `${sql} >= ${value}`
}
