/** Returns an import statement for those of the names that the body uses; an empty string if it uses none of them. */
export function importText(body: string, names: readonly string[], from: string): string {
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(body))
  if (used.length === 0) return ""
  return `import type {\n${used.map((name) => `  ${name},\n`).join("")}} from "${from}"`
}
