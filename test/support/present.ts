/** Returns a value that has to be there. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("Something that has to be there is missing.")
  return value
}
