import type { JobDefinition } from "../../schema/builders/job.ts"
import { parseBySchema } from "../../schema/builders/parse-by-schema.ts"
import { ApiError, type FieldError, fieldMessage } from "../../wire/errors/api-error.ts"

const MAX_PAYLOAD_BYTES = 1024 * 1024

/**
 * Converts the payload to JSON for storage. Throws unless the job's schema accepts the payload after a conversion to
 * JSON and back, because this is the value that each run of the job parses.
 */
export async function serializePayload(job: JobDefinition, payload: unknown): Promise<string> {
  const text = toJson(job, payload)
  await parsePayload(job, JSON.parse(text))
  return text
}

/** Parses a stored payload with the job's schema. */
export async function parsePayload(job: JobDefinition, stored: unknown): Promise<unknown> {
  const parsed = await parseBySchema(job.schema, stored)
  if ("value" in parsed) return parsed.value
  throw refused(
    job,
    parsed.fieldErrors.map(({ path, message }) => ({ path: path === "" ? "payload" : `payload.${path}`, message })),
  )
}

function toJson(job: JobDefinition, payload: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(payload, refuseUnstorable)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw refused(job, [{ path: "payload", message: `Cannot be stored as JSON: ${message}` }])
  }
  if (text === undefined) throw refused(job, [{ path: "payload", message: "Is stored as JSON: publish an object." }])
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) {
    const message = `Has more than ${MAX_PAYLOAD_BYTES} bytes of JSON. Store the data and publish its id.`
    throw refused(job, [{ path: "payload", message }])
  }
  return text
}

function refuseUnstorable(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new TypeError('A key must not be "__proto__".')
  if (typeof value === "function" || typeof value === "symbol") throw new TypeError(`"${key}" is a ${typeof value}.`)
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`"${key}" is ${value}.`)
  assertText(key)
  if (typeof value === "string") assertText(value)
  return value
}

// Rejects the character NUL and lone surrogates, because PostgreSQL's jsonb cannot store them.
function assertText(text: string): void {
  if (text.includes("\0")) throw new TypeError("A text holds the character NUL.")
  if (!text.isWellFormed()) throw new TypeError("A text holds half of a character.")
}

function refused({ name }: JobDefinition, fieldErrors: readonly FieldError[]): ApiError {
  const [first] = fieldErrors
  const reason = first ? fieldMessage(first) : "Is not valid."
  return new ApiError("VALIDATION_ERROR", {
    message: `The payload of job "${name}" is refused. ${reason}`,
    fieldErrors,
  })
}
