export type LogFields = Readonly<Record<string, unknown>>

export interface Logger {
  /** Writes lines that matter only in search of a fault. A logger without this function drops them. */
  debug?(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}
