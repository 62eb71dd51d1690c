import type { LogFields } from "../../ports/logger.ts"
import { isSecretName, REDACTED, redactText } from "./redact-text.ts"

const MAX_DEPTH = 10

/**
 * Returns the fields of a log line as plain data. Secrets are redacted at any depth, and also in the causes of errors.
 */
export function redactFields(fields: LogFields): Record<string, unknown> {
  return redactEntries(fields, [])
}

/**
 * The objects that contain the value being redacted, outermost first. The list serves to detect circular references.
 */
type Ancestors = readonly object[]

function redactEntries(holder: object, path: Ancestors): Record<string, unknown> {
  const inside = [...path, holder]
  const entries = Object.keys(holder).map((name) => [
    name,
    isSecretName(name) ? REDACTED : redactEntry(holder, name, inside),
  ])
  return Object.fromEntries(entries)
}

// Returns the redacted property, or "[unreadable]" if its getter throws. The rest of the log line is still written.
function redactEntry(holder: object, name: string, inside: Ancestors): unknown {
  try {
    // The cast is safe: the name is one of the object's own keys.
    return redactValue((holder as Record<string, unknown>)[name], inside)
  } catch {
    return "[unreadable]"
  }
}

function redactValue(value: unknown, path: Ancestors): unknown {
  if (typeof value === "string") return redactText(value)
  if (typeof value !== "object" || value === null) return value
  if (path.includes(value)) return "[circular]"
  if (path.length >= MAX_DEPTH) return "[deeper]"
  if (Array.isArray(value)) return redactItems(value, [...path, value])
  if (value instanceof Error) return redactError(value, path)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Map) return redactEntries(Object.fromEntries(value), path)
  if ("toJSON" in value && typeof value.toJSON === "function") return redactValue(value.toJSON(), [...path, value])
  return redactEntries(value, path)
}

function redactItems(items: readonly unknown[], inside: Ancestors): unknown[] {
  return items.map((item) => redactValue(item, inside))
}

// Copies the message, stack and cause of an error explicitly, because these properties are not enumerable.
function redactError(error: Error, path: Ancestors): Record<string, unknown> {
  const inside = [...path, error]
  return {
    type: error.name,
    message: redactText(String(error.message)),
    stack: redactText(String(error.stack)),
    ...redactEntries(error, path),
    ...(error.cause !== undefined && { cause: redactValue(error.cause, inside) }),
    ...(error instanceof AggregateError && { errors: redactValue(error.errors, inside) }),
  }
}
