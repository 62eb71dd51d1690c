import type { FileResource } from "../../engine/operations/reads/find-file.ts"
import type { FileStore } from "../../ports/file-store.ts"
import { isProblem } from "../../schema/compile/field-type.ts"
import type { ResourceField } from "../../schema/compile/resource.ts"
import { ApiError, invalid } from "../../wire/errors/api-error.ts"
import { readPath } from "./file-key.ts"
import { boundaryOf, type FormPart, readParts } from "./multipart.ts"
import { type ReceivedFile, receiveFile, tooLarge } from "./receive-file.ts"

/** An upload request, before any of its body is read. */
export interface UploadRequest {
  readonly contentType: string | null
  readonly contentLength: string | null
  /** The maximum number of bytes of all text parts together. */
  readonly maxTextBytes: number
  /**
   * Returns the request body. The code that reads it may stop before the end: the HTTP server then handles the rest, so
   * that it can still send a response.
   */
  body(): AsyncIterable<Uint8Array>
}

export interface UploadForm {
  readonly file: ReceivedFile
  readonly path: string
  /** The values for the author's fields, read from the form. */
  readonly data: Readonly<Record<string, unknown>>
}

interface UploadTarget {
  readonly resource: FileResource
  readonly store: FileStore
}

/** Reads an upload form as it arrives. If any part of the form is invalid, the received file is removed. */
export async function readUploadForm(place: UploadTarget, request: UploadRequest): Promise<UploadForm> {
  const { resource } = place
  const { maxBytes } = resource.upload
  const boundary = boundaryOf(request.contentType)
  if (Number(request.contentLength ?? 0) > maxBytes + request.maxTextBytes) throw tooLarge(maxBytes)
  const found: FormContents = { texts: new TextParts(request.maxTextBytes), file: undefined }
  const body = withReadErrors(request.body())
  try {
    return finish(resource, await readAll(place, found, readParts(body, boundary)))
  } catch (error) {
    await found.file?.incoming.discard()
    throw error
  } finally {
    await body.return(undefined)
  }
}

interface FormContents {
  readonly texts: TextParts
  file: ReceivedFile | undefined
}

async function readAll(
  place: UploadTarget,
  found: FormContents,
  parts: AsyncIterable<FormPart>,
): Promise<FormContents> {
  for await (const part of parts) {
    if (part.name === "file") found.file = await readFile(place, found, part)
    else await found.texts.add(part)
  }
  return found
}

async function readFile(
  { resource, store }: UploadTarget,
  { file }: FormContents,
  part: FormPart,
): Promise<ReceivedFile> {
  if (part.filename === undefined) throw badRequest('The part "file" is text. Give it a file name.')
  if (file) throw badRequest('There are two parts called "file". Send one file at a time.')
  return receiveFile(part, await store.begin(), resource.upload)
}

function finish(resource: FileResource, { texts, file }: FormContents): UploadForm {
  if (file === undefined) throw badRequest('There is no part called "file".')
  return { file, path: readPath(texts.take("path") ?? ""), data: readData(resource, texts.rest) }
}

async function* withReadErrors(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new ApiError("BAD_REQUEST", { message: "The body ended before it was complete.", cause })
  }
}

/** The text parts of an upload form, with a limit on their total size. */
class TextParts {
  readonly #maxBytes: number
  readonly rest = new Map<string, string>()
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  async add({ name, filename, body }: FormPart): Promise<void> {
    if (filename !== undefined) throw badRequest(`The part "${name}" is a file. Only the part "file" may be one.`)
    if (this.rest.has(name)) throw invalid(name, "Must appear only once.")
    const chunks: Uint8Array[] = []
    for await (const bytes of body) {
      this.#size += bytes.length
      if (this.#size > this.#maxBytes) throw textTooLarge(this.#maxBytes)
      chunks.push(bytes)
    }
    this.rest.set(name, decode(name, Buffer.concat(chunks)))
  }

  take(name: string): string | undefined {
    const text = this.rest.get(name)
    this.rest.delete(name)
    return text
  }
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw invalid(name, "Is not valid UTF-8.")
  }
}

// Returns the field values in a form. A form contains only strings, so values of other types are parsed from strings.
// For these types, an empty string means null.
function readData({ fields }: FileResource, texts: ReadonlyMap<string, string>): UploadForm["data"] {
  return Object.fromEntries([...texts].map(([name, text]) => [name, readValue(fields.get(name), text)]))
}

function readValue(field: ResourceField | undefined, text: string): unknown {
  if (field === undefined || field.type.operators === "text") return text
  if (text === "") return null
  const parsed = isJson(field, text) ? parseJson(text) : field.type.parseText(text)
  // A string that cannot be parsed stays a string. The record's validation then rejects it together with all other
  // invalid fields.
  return isProblem(parsed) ? text : parsed.value
}

// True if the string of a field must be parsed as JSON. For a relation, a string that does not start with "[" or "{" is
// an id, even if it is valid JSON.
function isJson({ type, relation }: ResourceField, text: string): boolean {
  return relation ? /^\s*[[{]/.test(text) : type.sqlType === "jsonb" || type.element !== undefined
}

function parseJson(text: string): { readonly value: unknown } {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { value: text }
  }
}

function badRequest(message: string): ApiError {
  return new ApiError("BAD_REQUEST", { message })
}

function textTooLarge(maxBytes: number): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", { message: `The text in the form has at most ${maxBytes} bytes.` })
}
