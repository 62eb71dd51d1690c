/** Lines of cells in columns; the first one is the head. */
export function textTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}

/** Lines for the person at the terminal, as one text: who reads only the first ones may be gone before the last. */
export function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join("")
}
