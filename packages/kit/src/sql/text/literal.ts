/** A value as the driver would store it, written into the text of a statement that takes no parameters. */
export function literal(value: unknown, sqlType: string): string {
  return `${bare(value)}::${sqlType}`
}

/** Text in quotes. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function bare(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return `array[${value.map(bare).join(", ")}]`
  if (value instanceof Date) return quoteText(value.toISOString())
  return quoteText(typeof value === "object" ? JSON.stringify(value) : String(value))
}
