/** Returns a value, as the driver would store it, as a literal for a statement that takes no parameters. */
export function literal(value: unknown, sqlType: string): string {
  return `${bare(value)}::${sqlType}`
}

/** Returns the text as a quoted SQL literal. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function bare(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return `array[${value.map(bare).join(", ")}]`
  if (value instanceof Date) return quoteText(value.toISOString())
  return quoteText(typeof value === "object" ? JSON.stringify(value) : String(value))
}
