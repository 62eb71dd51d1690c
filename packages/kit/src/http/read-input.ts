import type { UncheckedOptions } from "../engine/context/read-options.ts"
import { TimeSlice, yieldToEventLoop } from "../engine/read/time-slice.ts"
import type { IncomingCall } from "../ports/http.ts"
import { decodeExtended, isExtendedHeader } from "../wire/codecs/extended-json.ts"
import {
  checkJsonBounds,
  mayHaveProtoKey,
  membersWithoutProtoKey,
  parseJson,
  parseJsonBody,
} from "../wire/codecs/json-body.ts"
import { parseQueryString } from "../wire/codecs/query-string.ts"
import { ApiError } from "../wire/errors/api-error.ts"

const LONG_BODY_BYTES = 256 * 1024

/** The maximum length of a request body, and the name of the setting that can raise it, if there is one. */
export interface BodyLimit {
  readonly maxBytes: number
  readonly setting?: string
}

const JSON_TYPE = "application/json"
const BINARY = "application/octet-stream"

const NO_QUERY: UncheckedOptions = Object.freeze({ options: Object.freeze({}), isText: true })
const utf8 = new TextDecoder("utf-8", { fatal: true })

export function readOptions(call: IncomingCall): UncheckedOptions {
  return call.query === "" ? NO_QUERY : { options: parseQueryString(call.query), isText: true }
}

/**
 * Reads the JSON body of a request, up to the length limit. A request header says whether the body is extended JSON.
 */
export function readJsonBody(call: IncomingCall, limit: BodyLimit): Promise<unknown> {
  const body = readPlainBody(call, limit)
  return isExtended(call) ? body.then(decodeExtended) : body
}

/** Like `readJsonBody`, for requests whose body is never extended JSON. */
export async function readPlainBody(call: IncomingCall, limit: BodyLimit): Promise<unknown> {
  // If the request has a content type, it is checked before the body is read. Otherwise it is checked afterwards: the
  // body may be empty, and then "The body is empty" is the more helpful error.
  if (call.headers.get("content-type") !== null) checkContentType(call)
  const bytes = requireWhole(await call.readBody(limit.maxBytes), limit)
  if (bytes.length === 0) throw new ApiError("BAD_REQUEST", { message: "The body is empty. Send JSON." })
  checkContentType(call)
  return parseBytes(bytes)
}

/** Like `readJsonBody`, but returns undefined if the request has no body. */
export async function readOptionalBody(call: IncomingCall, limit: BodyLimit): Promise<unknown> {
  const bytes = requireWhole(await call.readBody(limit.maxBytes), limit)
  if (bytes.length === 0) return undefined
  checkContentType(call)
  const value = await parseBytes(bytes)
  return isExtended(call) ? decodeExtended(value) : value
}

/** Reads a binary request body, up to the length limit. */
export async function readBinaryBody(call: IncomingCall, limit: BodyLimit): Promise<Uint8Array> {
  checkContentType(call, BINARY)
  return requireWhole(await call.readBody(limit.maxBytes), limit)
}

// Throws if the body was not read to its end, because it is longer than the limit.
function requireWhole(bytes: Uint8Array | null, { maxBytes, setting }: BodyLimit): Uint8Array {
  if (bytes !== null) return bytes
  const remedy = setting === undefined ? "" : ` Send less at a time; the app can raise "${setting}".`
  const message = `The body is too long: at most ${maxBytes} bytes are accepted here.${remedy}`
  throw new ApiError("PAYLOAD_TOO_LARGE", { message, context: { ...(setting && { limit: setting }), maxBytes } })
}

function parseBytes(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  return bytes.length > LONG_BODY_BYTES ? parseLongText(text) : parseJsonBody(text)
}

// Parses a long body in steps that take some ten milliseconds each. Other requests run between the steps.
async function parseLongText(text: string): Promise<unknown> {
  await yieldToEventLoop()
  checkJsonBounds(text)
  await yieldToEventLoop()
  const value = parseJson(text)
  if (mayHaveProtoKey(text)) await refusePrototypes(value)
  await yieldToEventLoop()
  return value
}

async function refusePrototypes(value: unknown): Promise<void> {
  const turn = new TimeSlice()
  const left = [value]
  while (left.length > 0) {
    if (turn.isOver) await turn.next()
    for (const member of membersWithoutProtoKey(left.pop())) left.push(member)
  }
}

function isExtended({ headers }: IncomingCall): boolean {
  return isExtendedHeader(headers.get("x-extendedjson"))
}

// Accepts one content type only, because a browser sends a form or plain text to another site without a CORS preflight.
function checkContentType({ headers }: IncomingCall, expected = JSON_TYPE): void {
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase()
  if (type !== expected) throw new ApiError("UNSUPPORTED_MEDIA_TYPE", { message: `Send the body as ${expected}.` })
  const encoding = headers.get("content-encoding")
  if (encoding !== null && encoding !== "identity") {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", { message: "Send the body without compression." })
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ApiError("BAD_REQUEST", { message: "The body is not valid UTF-8." })
  }
}
