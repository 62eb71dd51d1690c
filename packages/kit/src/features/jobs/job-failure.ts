import type { JobDefinition } from "../../schema/builders/job.ts"

const MAX_ERROR_CHARACTERS = 4_000
const STACK_LINES = 10
const MAX_RETRY_DELAY_MS = 3_600_000

/** The stored text of an error: its message and the top of its stack, truncated. */
export function errorText(thrown: unknown): string {
  const text = thrown instanceof Error ? stackHead(thrown) : textOf(thrown)
  return text.slice(0, MAX_ERROR_CHARACTERS).replaceAll("\0", "").toWellFormed()
}

/** Exponential backoff: doubles from the delay of the job, up to an hour or the delay itself if that is longer. */
export function retryDelayMs({ retryDelayMs: first }: JobDefinition, attempt: number): number {
  return Math.min(first * 2 ** Math.min(attempt - 1, 30), Math.max(first, MAX_RETRY_DELAY_MS))
}

function stackHead(error: Error): string {
  const stack = typeof error.stack === "string" ? error.stack : ""
  const message = `${error.name}: ${error.message}`
  const places = stack.split("\n").filter((line) => /^\s+at /.test(line))
  return [message, ...places.slice(0, STACK_LINES)].join("\n")
}

// Code can throw any value, even a value that cannot be converted to a string.
function textOf(thrown: unknown): string {
  try {
    return `Thrown: ${String(thrown)}`
  } catch {
    return "A value was thrown that cannot be converted to text."
  }
}
