/** Returns whether two values of a record are equal, whatever their type. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return false
  if (one instanceof Date || other instanceof Date) {
    return one instanceof Date && other instanceof Date && one.getTime() === other.getTime()
  }
  const keys = Object.keys(one)
  if (Array.isArray(one) !== Array.isArray(other) || keys.length !== Object.keys(other).length) return false
  // Both are objects, so their members can be read by name.
  const [first, second] = [one as Record<string, unknown>, other as Record<string, unknown>]
  return keys.every((key) => Object.hasOwn(second, key) && isSameValue(first[key], second[key]))
}
