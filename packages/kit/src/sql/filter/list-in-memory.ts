import { isSame, type MemoryComparison, type MemoryTest } from "./compare-in-memory.ts"
import { containsJson } from "./json-in-memory.ts"
import { everyVerdict, someVerdict, type Verdict, verdictOf } from "./verdict.ts"

export const containsItem: MemoryTest = (c) => hasItem(c, c.operand)

export const containsAllItems: MemoryTest = (c) =>
  c.value === null ? "no" : everyVerdict(itemsOf(c.operand), (item) => hasItem(c, item))

export const containsAnyItem: MemoryTest = (c) => someVerdict(itemsOf(c.operand), (item) => hasItem(c, item))

export const containsJsonItem: MemoryTest = (c) => containsJson({ ...c, operand: [c.operand] })

export const containsAllJsonItems: MemoryTest = containsJson

export const containsAnyJsonItem: MemoryTest = (c) =>
  someVerdict(itemsOf(c.operand), (item) => containsJson({ ...c, operand: [item] }))

/**
 * Returns the test for the operator `isEmpty` or, with the opposite flag, for `isNotEmpty`. A null list counts as
 * empty.
 */
export function emptyList(flag: boolean): MemoryTest {
  return ({ value, operand }) => verdictOf((itemsOf(value).length === 0) === (operand === flag))
}

export const hasLength: MemoryTest = ({ value, operand }) =>
  verdictOf(value !== null && itemsOf(value).length === operand)

/** Returns the test of an operator on the items of a list of blocks. It decides only lists without items. */
export function noItem(verdict: Verdict): MemoryTest {
  return ({ value }) => (value === null || (Array.isArray(value) && value.length === 0) ? verdict : "unknown")
}

function hasItem({ value, type }: MemoryComparison, operand: unknown): Verdict {
  const { element } = type
  if (element === undefined) return "unknown"
  return someVerdict(itemsOf(value), (item) => isSame({ value: item, type: element, operand }))
}

function itemsOf(list: unknown): readonly unknown[] {
  // The cast is safe: a list field holds lists or null, and operands of the kind "items" are parsed as lists.
  return (list ?? []) as readonly unknown[]
}
