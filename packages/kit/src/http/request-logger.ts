import type { LogFields, Logger } from "../ports/logger.ts"

/** A logger that adds the request id to every log line. */
export class RequestLogger implements Logger {
  readonly #logger: Logger
  readonly #requestId: string

  constructor(logger: Logger, requestId: string) {
    this.#logger = logger
    this.#requestId = requestId
  }

  info(message: string, fields?: LogFields): void {
    this.#logger.info(message, { ...fields, requestId: this.#requestId })
  }

  warn(message: string, fields?: LogFields): void {
    this.#logger.warn(message, { ...fields, requestId: this.#requestId })
  }

  error(message: string, fields?: LogFields): void {
    this.#logger.error(message, { ...fields, requestId: this.#requestId })
  }
}
