import { ERROR_CODES, type ErrorCode } from "../../wire/errors/api-error.ts"
import type { JsonSchema } from "../../wire/results/json-schema.ts"
import { jsonContent, type Reference, type Response } from "./openapi-document.ts"
import { ANY_OBJECT, listOf, objectOf, TEXT } from "./schema-parts.ts"

// The codes of the closed table. The casts of its keys and entries are safe: the table is a constant object literal.
const CODES = Object.keys(ERROR_CODES) as readonly ErrorCode[]

const STATUSES: readonly number[] = [...new Set(CODES.map((code) => ERROR_CODES[code].status))]

const REFERENCES: ReadonlyMap<number, Reference> = new Map(
  STATUSES.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
)

/** The schema of the body of every answer that is not 2xx. */
export const ERROR_SCHEMA: JsonSchema = objectOf({
  error: objectOf({
    code: { enum: CODES },
    message: TEXT,
    "fieldErrors?": listOf(objectOf({ path: TEXT, message: TEXT })),
    "context?": ANY_OBJECT,
    "requestId?": TEXT,
  }),
})

const REQUEST_ID: Reference = { $ref: "#/components/headers/RequestId" }

/** The headers that every answer has. */
export const COMMON_HEADERS: Readonly<Record<string, Reference>> = Object.freeze({ "X-Request-Id": REQUEST_ID })

/** Returns one shared response for each status of the error table, by its name: `NotFound`. */
export function errorResponses(error: JsonSchema): Readonly<Record<string, Response>> {
  return Object.fromEntries(
    STATUSES.map((status) => {
      const codes = CODES.filter((code) => ERROR_CODES[code].status === status)
      const description = codes.map((code) => `${code}: ${ERROR_CODES[code].message}`).join(" ")
      return [responseName(status), { description, headers: COMMON_HEADERS, content: jsonContent(error) }]
    }),
  )
}

// The errors that every call may get.
const COMMON_ERRORS: readonly ErrorCode[] = [
  "BAD_REQUEST",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "NOT_FOUND",
  "RATE_LIMITED",
  "INTERNAL_SERVER_ERROR",
  "SERVICE_UNAVAILABLE",
]

/** Returns references to the responses of the common errors and of these, by status. */
export function errorReferences(further: readonly ErrorCode[] = []): Readonly<Record<string, Reference>> {
  const wanted = new Set<number>([...COMMON_ERRORS, ...further].map((code) => ERROR_CODES[code].status))
  return referencesTo(STATUSES.filter((status) => wanted.has(status)))
}

/** Returns references to the responses of every error: a route of the author may answer with any of them. */
export function allErrorReferences(): Readonly<Record<string, Reference>> {
  return referencesTo(STATUSES.filter((status) => status !== ERROR_CODES.METHOD_NOT_ALLOWED.status))
}

function referencesTo(all: readonly number[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(
    all.flatMap((status) => {
      const reference = REFERENCES.get(status)
      return reference ? [[String(status), reference]] : []
    }),
  )
}

// Returns the name of the first code with this status, in camel case: `NotFound`.
function responseName(status: number): string {
  const code = CODES.find((each) => ERROR_CODES[each].status === status) ?? ""
  return code.toLowerCase().replace(/(^|_)([a-z])/g, (_match, _start, letter: string) => letter.toUpperCase())
}
