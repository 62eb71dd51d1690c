import { type DestinationStream, pino } from "pino"
import type { LogFields, Logger } from "../ports/logger.ts"
import { redactFields } from "./redact-fields.ts"
import { redactText } from "./redact-text.ts"

/** Structured lines, on standard output unless told otherwise; secrets are left out of them. */
export function pinoLogger(level: string, destination?: DestinationStream): Logger {
  const settings = { level, base: null }
  const logger = destination ? pino(settings, destination) : pino(settings)
  const writer =
    (lineLevel: keyof Logger) =>
    (message: string, fields: LogFields = {}) => {
      if (logger.isLevelEnabled(lineLevel)) logger[lineLevel](redactFields(fields), redactText(message))
    }
  return { info: writer("info"), warn: writer("warn"), error: writer("error") }
}
