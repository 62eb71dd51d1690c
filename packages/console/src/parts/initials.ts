/** Returns the two letters that stand for a person: the first ones of the first and the last name. */
export function initialsOf(name: string): string {
  const names = name.trim().split(/\s+/)
  const letters = [names[0], names.length > 1 ? names.at(-1) : undefined].map((part) => Array.from(part ?? "")[0] ?? "")
  return letters.join("").toLocaleUpperCase()
}
