import type { FileResource } from "../../engine/operations/file.ts"
import type { FileStore } from "../../ports/file-store.ts"
import { isProblem } from "../../schema/compile/field-type.ts"
import type { ResourceField } from "../../schema/compile/resource.ts"
import { ApiError, invalid } from "../../wire/errors/api-error.ts"
import { readPath } from "./file-key.ts"
import { boundaryOf, type FormPart, readParts } from "./multipart.ts"
import { type ReceivedFile, receiveFile, tooLarge } from "./receive-file.ts"

/** The request of an upload, of whose body nothing is read yet. */
export interface UploadRequest {
  readonly contentType: string | null
  readonly contentLength: string | null
  /** For all parts that are text, together. */
  readonly maxTextBytes: number
  /** Whoever stops reading leaves the rest to the server, which still has to answer. */
  body(): AsyncIterable<Uint8Array>
}

export interface UploadForm {
  readonly file: ReceivedFile
  readonly path: string
  /** The author's fields, as far as they were given. */
  readonly data: Readonly<Record<string, unknown>>
}

interface Place {
  readonly resource: FileResource
  readonly store: FileStore
}

/** Reads the form as it comes in; when anything is wrong with it, no file is left. */
export async function readUploadForm(place: Place, request: UploadRequest): Promise<UploadForm> {
  const { resource } = place
  const { maxBytes } = resource.upload
  const boundary = boundaryOf(request.contentType)
  if (Number(request.contentLength ?? 0) > maxBytes + request.maxTextBytes) throw tooLarge(maxBytes)
  const found: Found = { texts: new Texts(request.maxTextBytes), file: undefined }
  const body = unbroken(request.body())
  try {
    return finish(resource, await readAll(place, found, readParts(body, boundary)))
  } catch (error) {
    await found.file?.incoming.discard()
    throw error
  } finally {
    await body.return(undefined)
  }
}

interface Found {
  readonly texts: Texts
  file: ReceivedFile | undefined
}

async function readAll(place: Place, found: Found, parts: AsyncIterable<FormPart>): Promise<Found> {
  for await (const part of parts) {
    if (part.name === "file") found.file = await readFile(place, found, part)
    else await found.texts.add(part)
  }
  return found
}

async function readFile({ resource, store }: Place, { file }: Found, part: FormPart): Promise<ReceivedFile> {
  if (part.filename === undefined) throw badRequest('The part "file" is text. Give it a file name.')
  if (file) throw badRequest('There are two parts called "file". Send one file at a time.')
  return receiveFile(part, await store.begin(), resource.upload)
}

function finish(resource: FileResource, { texts, file }: Found): UploadForm {
  if (file === undefined) throw badRequest('There is no part called "file".')
  return { file, path: readPath(texts.take("path") ?? ""), data: readData(resource, texts.rest) }
}

async function* unbroken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new ApiError("BAD_REQUEST", { message: "The body ended before it was complete.", cause })
  }
}

/** The parts of a form that are text. */
class Texts {
  readonly #maxBytes: number
  readonly rest = new Map<string, string>()
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  async add({ name, filename, body }: FormPart): Promise<void> {
    if (filename !== undefined) throw badRequest(`The part "${name}" is a file. Only the part "file" may be one.`)
    if (this.rest.has(name)) throw invalid(name, "Is there twice.")
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
    throw invalid(name, "Is no valid UTF-8.")
  }
}

// A form holds nothing but text: values that are no text are read from it, and an empty one is none.
function readData({ fields }: FileResource, texts: ReadonlyMap<string, string>): UploadForm["data"] {
  return Object.fromEntries([...texts].map(([name, text]) => [name, readValue(fields.get(name), text)]))
}

function readValue(field: ResourceField | undefined, text: string): unknown {
  if (field === undefined || field.type.operators === "text") return text
  if (text === "") return null
  const parsed = isJson(field, text) ? parseJson(text) : field.type.parseText(text)
  // What cannot be read stays text, and is refused along with everything else that is wrong with the record.
  return isProblem(parsed) ? text : parsed.value
}

// To a relation, a text that is no list or object is an id, whatever it looks like.
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
