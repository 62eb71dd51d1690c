import { ApiError } from "../../wire/errors/api-error.ts"
import { parseDisposition } from "./disposition.ts"

/** One part of a multipart form. The part's body must be read to the end before the next part. */
export interface FormPart {
  readonly name: string
  /** The file name as the sender wrote it; undefined if the part is not a file. */
  readonly filename: string | undefined
  readonly body: AsyncIterable<Uint8Array>
}

const LINE_END = Buffer.from("\r\n")
const HEADERS_END = Buffer.from("\r\n\r\n")
const MAX_HEADER_BYTES = 8 * 1024
const MAX_EPILOGUE_BYTES = 1024
const MAX_PARTS = 200
// The characters that the standard (RFC 2046) allows in a boundary. Most clients use only letters, digits and dashes.
const BOUNDARY = /^[\w'()+,./:=?-][\w'()+,./:=? -]{0,69}$/

/** Returns the boundary in a Content-Type header. Throws if the content type is not multipart/form-data. */
export function boundaryOf(contentType: string | null): string {
  const [type = "", ...parameters] = (contentType ?? "").slice(0, 300).split(";")
  if (type.trim().toLowerCase() !== "multipart/form-data") {
    throw new ApiError("BAD_REQUEST", { message: 'Send the file as multipart/form-data, in a part called "file".' })
  }
  const given = parameters.map((text) => text.trim()).find((text) => /^boundary=/i.test(text))
  const boundary = given?.slice("boundary=".length).replace(/^"(.*)"$/, "$1") ?? ""
  if (!BOUNDARY.test(boundary)) throw malformed("The content type has no boundary, or an invalid one.")
  return boundary
}

/**
 * Yields the parts of a multipart form as they arrive. Little more than the current chunk of the request body is in
 * memory.
 */
export async function* readParts(body: AsyncIterator<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const reader = new FormReader(body, boundary)
  await reader.open()
  for (let count = 0; await reader.hasPart(); count += 1) {
    if (count === MAX_PARTS) throw malformed(`A form has at most ${MAX_PARTS} parts.`)
    yield { ...parseDisposition(await reader.headers()), body: reader.content() }
    if (!reader.isAtDelimiter) throw new Error("The body of a part was not read to its end.")
  }
  await reader.end()
}

class FormReader {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #delimiter: Buffer
  // The buffer starts with a line end, so that the first delimiter, which has none before it, looks like all others.
  #buffer: Buffer = LINE_END
  isAtDelimiter = true

  constructor(source: AsyncIterator<Uint8Array>, boundary: string) {
    this.#source = source
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  async open(): Promise<void> {
    await this.#fill(this.#delimiter.length)
    if (!this.#startsWith(this.#delimiter)) throw malformed("The form does not start with its boundary.")
    this.#consume(this.#delimiter.length)
  }

  /** True if another part follows the current delimiter, false if the form ends here. */
  async hasPart(): Promise<boolean> {
    await this.#fill(2)
    const next = this.#buffer.toString("latin1", 0, 2)
    this.#consume(2)
    if (next === "--") return false
    if (next === "\r\n") return true
    throw malformed("A boundary is followed by something other than a part.")
  }

  async headers(): Promise<string> {
    let end = this.#buffer.indexOf(HEADERS_END)
    while (end < 0 && this.#buffer.length <= MAX_HEADER_BYTES) {
      await this.#readChunk()
      end = this.#buffer.indexOf(HEADERS_END)
    }
    if (end < 0 || end > MAX_HEADER_BYTES) throw malformed("The headers of a part are too long.")
    const text = this.#buffer.toString("utf8", 0, end)
    this.#consume(end + HEADERS_END.length)
    return text
  }

  /**
   * Yields the bytes of a part up to the next delimiter. Bytes that may be the start of a delimiter are held back until
   * more bytes arrive.
   */
  async *content(): AsyncGenerator<Uint8Array> {
    this.isAtDelimiter = false
    for (;;) {
      const end = this.#buffer.indexOf(this.#delimiter)
      const safe = end < 0 ? this.#buffer.length - this.#delimiter.length + 1 : end
      if (safe > 0) {
        yield this.#buffer.subarray(0, safe)
        this.#consume(safe)
      }
      if (end >= 0) break
      await this.#readChunk()
    }
    this.#consume(this.#delimiter.length)
    this.isAtDelimiter = true
  }

  async end(): Promise<void> {
    let size = this.#buffer.length
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) {
      size += next.value.length
      if (size > MAX_EPILOGUE_BYTES) break
    }
    if (size > MAX_EPILOGUE_BYTES) throw malformed("Something follows the last part of the form.")
  }

  #startsWith(bytes: Buffer): boolean {
    return this.#buffer.subarray(0, bytes.length).equals(bytes)
  }

  #consume(count: number): void {
    this.#buffer = this.#buffer.subarray(count)
  }

  async #fill(count: number): Promise<void> {
    while (this.#buffer.length < count) await this.#readChunk()
  }

  async #readChunk(): Promise<void> {
    const next = await this.#source.next()
    if (next.done) throw malformed("The form ended before its last boundary.")
    const bytes = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength)
    this.#buffer = this.#buffer.length === 0 ? bytes : Buffer.concat([this.#buffer, bytes])
  }
}

function malformed(message: string): ApiError {
  return new ApiError("BAD_REQUEST", { message })
}
