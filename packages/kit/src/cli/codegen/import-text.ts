/** Returns an import statement for the names that the body uses; an empty text if it uses none of the names. */
export function importText(body: string, names: readonly string[], from: string): string {
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(body))
  if (used.length === 0) return ""
  return `import type {\n${used.map((name) => `  ${name},\n`).join("")}} from "${from}"`
}
