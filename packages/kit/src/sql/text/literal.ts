/**
 * Returns a value as an SQL literal, for statements that take no parameters. The value has the form in which the driver
 * would store it.
 */
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
