import type { JobDefinition } from "../../schema/builders/job.ts"

const MAX_ERROR_CHARACTERS = 4_000
const STACK_LINES = 10
const MAX_RETRY_DELAY_MS = 3_600_000

/** Returns the text that is stored for an error: the error message and the top of the stack trace, truncated. */
export function errorText(thrown: unknown): string {
  const text = thrown instanceof Error ? stackHead(thrown) : textOf(thrown)
  return text.slice(0, MAX_ERROR_CHARACTERS).replaceAll("\0", "").toWellFormed()
}

/**
 * Returns the delay before the next attempt. The first delay is the job's `retryDelayMs`, and each further delay is
 * twice the previous one, up to one hour. A job whose `retryDelayMs` is longer than one hour always has that delay.
 */
export function retryDelayMs({ retryDelayMs: first }: JobDefinition, attempt: number): number {
  return Math.min(first * 2 ** Math.min(attempt - 1, 30), Math.max(first, MAX_RETRY_DELAY_MS))
}

function stackHead(error: Error): string {
  const stack = typeof error.stack === "string" ? error.stack : ""
  const message = `${error.name}: ${error.message}`
  const places = stack.split("\n").filter((line) => /^\s+at /.test(line))
  return [message, ...places.slice(0, STACK_LINES)].join("\n")
}

// Converts a thrown value to text. Code can throw any value, even a value that cannot be converted to a string.
function textOf(thrown: unknown): string {
  try {
    return `Thrown: ${String(thrown)}`
  } catch {
    return "A value was thrown that cannot be converted to text."
  }
}
