import { pino } from "pino"
import type { LogFields, Logger } from "../ports/logger.ts"

const SECRETS = [
  "password",
  "secret",
  "token",
  "cookie",
  "authorization",
  "*.password",
  "*.secret",
  "*.token",
  "*.cookie",
  "*.authorization",
]

/** Structured lines on standard output; values under names of secrets are left out. */
export function pinoLogger(level: string): Logger {
  const logger = pino({ level, base: null, redact: SECRETS, serializers: { error: pino.stdSerializers.err } })
  return {
    info: (message: string, fields: LogFields = {}) => logger.info(fields, message),
    warn: (message: string, fields: LogFields = {}) => logger.warn(fields, message),
    error: (message: string, fields: LogFields = {}) => logger.error(fields, message),
  }
}
