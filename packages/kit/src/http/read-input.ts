import type { GivenOptions } from "../engine/read-options.ts"
import type { IncomingCall } from "../ports/http.ts"
import { ApiError } from "../wire/api-error.ts"
import { decodeExtended, isExtendedHeader } from "../wire/extended-json.ts"
import { parseJsonBody } from "../wire/json-body.ts"
import { parseQueryString } from "../wire/query-string.ts"

const NO_QUERY: GivenOptions = Object.freeze({ options: Object.freeze({}), isText: true })
const utf8 = new TextDecoder("utf-8", { fatal: true })

export function readOptions(call: IncomingCall): GivenOptions {
  return call.query === "" ? NO_QUERY : { options: parseQueryString(call.query), isText: true }
}

/** The JSON body of a request, within the limit; extended JSON where the request says so. */
export async function readJsonBody(call: IncomingCall, maxBytes: number): Promise<unknown> {
  return revived(call, await readPlainBody(call, maxBytes))
}

/** As `readJsonBody`, for bodies that are never extended JSON. */
export async function readPlainBody(call: IncomingCall, maxBytes: number): Promise<unknown> {
  // What has no type may be no body at all, which is the mistake to tell.
  if (call.headers.get("content-type") !== null) checkContentType(call)
  const bytes = await readBytes(call, maxBytes)
  if (bytes.length === 0) throw new ApiError("BAD_REQUEST", { message: "The body is empty. Send JSON." })
  checkContentType(call)
  return parseJsonBody(decodeUtf8(bytes))
}

/** As `readJsonBody`, or undefined where there is no body. */
export async function readOptionalBody(call: IncomingCall, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(call, maxBytes)
  if (bytes.length === 0) return undefined
  checkContentType(call)
  return revived(call, parseJsonBody(decodeUtf8(bytes)))
}

async function readBytes(call: IncomingCall, maxBytes: number): Promise<Uint8Array> {
  const bytes = await call.readBody(maxBytes)
  if (bytes === null) throw new ApiError("PAYLOAD_TOO_LARGE", { message: `A body has at most ${maxBytes} bytes.` })
  return bytes
}

function revived({ headers }: IncomingCall, value: unknown): unknown {
  return isExtendedHeader(headers.get("x-extendedjson")) ? decodeExtended(value) : value
}

// A form or plain text would let another site send a body without the browser asking first.
function checkContentType({ headers }: IncomingCall): void {
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase()
  if (type !== "application/json") throw new ApiError("UNSUPPORTED_MEDIA_TYPE")
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
