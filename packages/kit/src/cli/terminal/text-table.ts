/** Aligns the cells of rows in columns; the first row is the header. */
export function textTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}

/**
 * Joins lines into one string, so that a single write prints them. With several writes, a program that reads only the
 * first lines could close the pipe before the last write.
 */
export function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join("")
}
