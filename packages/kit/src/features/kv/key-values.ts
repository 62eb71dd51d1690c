import { readMembers } from "../../engine/context/read-members.ts"
import type { KeyValueStore } from "../../ports/key-value-store.ts"
import type { KeyValues, TtlOptions } from "../../schema/context/key-values.ts"
import { ApiError, invalid } from "../../wire/errors/api-error.ts"

const MAX_KEY_BYTES = 512
const MAX_VALUE_BYTES = 1024 * 1024
const MAX_TTL_SECONDS = 10 * 365 * 24 * 60 * 60

/**
 * Creates the key-value API: it validates keys and values, and stores values as JSON. Keys often contain user input, so
 * an invalid key is a client error (HTTP 400).
 */
export function keyValues(store: KeyValueStore): KeyValues {
  return Object.freeze({
    async get<Value>(key: string) {
      const json = await store.get(checkKey(key))
      // The cast cannot be checked: only the code that stored the value knows its type, and the caller states that type
      // as the type argument `Value`.
      return json === undefined ? undefined : (JSON.parse(json) as Value)
    },
    set: async (key: string, value: unknown, options?: TtlOptions) =>
      store.set(checkKey(key), toJson(value), readTtl(options)),
    delete: async (key: string) => store.delete(checkKey(key)),
    has: async (key: string) => store.has(checkKey(key)),
    increment: async (key: string, by = 1, options?: TtlOptions) => {
      const sum = await store.increment(checkKey(key), checkStep(by), readTtl(options))
      if (sum === null) throw notCountable(key)
      return sum
    },
  })
}

function checkKey(key: unknown): string {
  if (typeof key !== "string" || key === "") throw invalid("key", "Expected a text that is not empty.")
  if (key.includes("\0")) throw invalid("key", "Must not contain the character NUL.")
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw invalid("key", `Must not be longer than ${MAX_KEY_BYTES} bytes.`)
  return key
}

function toJson(value: unknown): string {
  const json = write(value)
  if (json === undefined) throw invalid("value", `JSON cannot hold ${typeof value}. To remove a value, delete its key.`)
  if (Buffer.byteLength(json) > MAX_VALUE_BYTES) {
    throw invalid("value", `Must not be longer than ${MAX_VALUE_BYTES} bytes as JSON.`)
  }
  return json
}

function write(value: unknown): string | undefined {
  try {
    // The cast adds undefined to the type: `JSON.stringify` returns undefined for values that JSON cannot express, such
    // as functions, although its declared result is a string.
    return JSON.stringify(value) as string | undefined
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n", 1)[0] : cause
    const fieldErrors = [{ path: "value", message: `JSON cannot hold it: ${reason}` }]
    throw new ApiError("VALIDATION_ERROR", { fieldErrors, cause })
  }
}

function checkStep(by: unknown): number {
  if (Number.isSafeInteger(by)) return Number(by)
  throw invalid("by", "Expected a whole number.")
}

function readTtl(options: TtlOptions = {}): number | undefined {
  const { ttl } = readMembers(options, ["ttl"])
  if (ttl === undefined) return undefined
  if (typeof ttl === "number" && ttl > 0 && ttl <= MAX_TTL_SECONDS) return Math.ceil(ttl * 1000)
  throw invalid("ttl", `Expected a number of seconds above 0 and up to ${MAX_TTL_SECONDS}.`)
}

function notCountable(key: string): ApiError {
  return new ApiError("CONFLICT", {
    message: `The value of "${key}" cannot be incremented: it or the sum is not a whole number that JavaScript can hold.`,
  })
}
