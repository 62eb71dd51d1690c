import { createRequire } from "node:module"
import type { DestinationStream, pino as makePino, Logger as Pino } from "pino"
import type { LogFields, Logger } from "../../ports/logger.ts"
import { redactFields } from "./redact-fields.ts"
import { redactText } from "./redact-text.ts"

/**
 * Returns a logger that writes structured lines, to standard output unless a destination is given. Secrets are
 * redacted.
 */
export function pinoLogger(level: string, destination?: DestinationStream): Logger {
  let made: Pino | undefined
  const writer =
    (lineLevel: keyof Logger) =>
    (message: string, fields: LogFields = {}) => {
      made ??= openLog(level, destination)
      const logger = made
      if (logger.isLevelEnabled(lineLevel)) logger[lineLevel](redactFields(fields), redactText(message))
    }
  return { debug: writer("debug"), info: writer("info"), warn: writer("warn"), error: writer("error") }
}

// Loads pino when the first line is logged, so an app that logs nothing during its start does not wait for pino.
function openLog(level: string, destination: DestinationStream | undefined): Pino {
  const { pino }: { pino: typeof makePino } = createRequire(import.meta.url)("pino")
  const settings = { level, base: null }
  return destination ? pino(settings, destination) : pino(settings)
}
