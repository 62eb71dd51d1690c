import type { ApiErrorShape } from "../../wire/errors/api-error.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { UploadManyOptions, UploadOptions } from "../../wire/results/uploads.ts"
import type { Transport } from "../transport/transport.ts"
import { UploadError } from "./upload-error.ts"

interface Collection {
  readonly transport: Transport
  readonly name: string
}

type Options = UploadOptions<RecordData>

const MAX_SHOWN_CHARACTERS = 80

/** One upload request, with the options of the upload, such as the progress callback. */
interface UploadCall {
  readonly url: string
  readonly init: RequestInit & { readonly headers: Headers; readonly body: FormData }
  readonly options: Options
}

// The part of the browser's XMLHttpRequest that this file uses. Unlike fetch, XMLHttpRequest reports upload progress.
declare const XMLHttpRequest: (new () => Xhr) | undefined

interface Xhr {
  withCredentials: boolean
  readonly status: number
  readonly responseText: string
  readonly upload: { onprogress: (event: { lengthComputable: boolean; loaded: number; total: number }) => void }
  onload: () => void
  onerror: () => void
  onabort: () => void
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  send(body: FormData): void
  abort(): void
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** Uploads a file and returns the file's record. */
export async function upload(collection: Collection, file: Blob, options: Options = {}): Promise<RecordData> {
  const { transport, name } = collection
  assertNotCancelled(options)
  // The shared path helpers are not imported: a bundler may put them into a module of their own, which a page would
  // have to load too.
  const path = `/${encodeURIComponent(name)}/upload${queryOf(options)}`
  const init = await transport.requestOf({ method: "POST", path, options: { headers: options.headers } })
  assertNotCancelled(options)
  // The response must be plain JSON, so the header that asks for extended JSON is removed. The content type, with its
  // boundary, is set by the form.
  const headers = new Headers(init.headers)
  headers.delete("x-extendedjson")
  const sending = { url: transport.urlOf(path), init: { ...init, headers, body: formOf(file, options) }, options }
  const isBrowser = typeof XMLHttpRequest === "function"
  return recordIn(await (isBrowser ? sendByXhr(new XMLHttpRequest(), sending) : sendByFetch(transport, sending)))
}

/** Uploads files one after another and returns their records. */
export async function uploadMany(
  collection: Collection,
  files: Iterable<Blob>,
  { onProgress, ...options }: UploadManyOptions<RecordData> = {},
): Promise<RecordData[]> {
  const list = [...files]
  const total = list.reduce((sum, { size }) => sum + size, 0)
  const records: RecordData[] = []
  let done = 0
  for (const [index, file] of list.entries()) {
    const report = (percent: number) => onProgress?.(Math.round(done + shareOf(file, total, list) * percent), index)
    records.push(await upload(collection, file, { ...options, onProgress: report }))
    done += shareOf(file, total, list) * 100
  }
  return records
}

// Returns a file's share of the total bytes. If all files are empty, each file has an equal share.
function shareOf({ size }: Blob, total: number, { length }: readonly Blob[]): number {
  return total === 0 ? 1 / length : size / total
}

// Returns the options that the client does not use itself. The server refuses those that it does not know.
function queryOf({ onProgress: _, signal: _signal, path: _path, data: _data, headers: _headers, ...others }: Options) {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries<unknown>(others))
    if (value !== undefined) query.set(name, typeof value === "function" ? "" : String(value))
  return `${query}` && `?${query}`
}

function formOf(file: Blob, { path, data = {} }: Options): FormData {
  const form = new FormData()
  if (path !== undefined) form.append("path", path)
  for (const [name, value] of Object.entries(data)) {
    if (value !== undefined && value !== null) form.append(name, textOf(value))
  }
  form.append("file", file)
  return form
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

async function sendByFetch(transport: Transport, sending: UploadCall): Promise<Answer> {
  const answer = await fetchAnswer(transport, sending)
  if (isOk(answer)) sending.options.onProgress?.(100)
  return answer
}

async function fetchAnswer(transport: Transport, { url, init, options }: UploadCall): Promise<Answer> {
  const { signal } = options
  try {
    const response = await (transport.config.fetch ?? globalThis.fetch)(url, { ...init, signal: signal ?? null })
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    throw signal?.aborted ? cancelled(signal) : noAnswer(url, cause)
  }
}

function sendByXhr(xhr: Xhr, { url, init, options }: UploadCall): Promise<Answer> {
  const { signal, onProgress } = options
  const abort = () => xhr.abort()
  return new Promise<Answer>((resolve, reject) => {
    xhr.open("POST", url)
    xhr.withCredentials = true
    for (const [name, value] of init.headers) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(Math.round((loaded / total) * 100))
    }
    xhr.onload = () => resolve({ status: xhr.status, text: xhr.responseText })
    xhr.onerror = () => reject(noAnswer(url))
    xhr.onabort = () => reject(cancelled(signal))
    signal?.addEventListener("abort", abort)
    xhr.send(init.body)
  }).finally(() => signal?.removeEventListener("abort", abort))
}

function isOk({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

function recordIn(answer: Answer): RecordData {
  const response = parse(answer.text)
  const isRecord = isOk(answer) && typeof response === "object" && response !== null
  if (!isRecord) throw refused(answer, response)
  // The cast is safe: client and server share the wire types, and the server is trusted to follow them.
  return response as RecordData
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function refused({ status, text }: Answer, response: unknown): UploadError {
  const { code, fieldErrors, message } = errorIn(response)
  const start = text.replace(/\s+/g, " ").slice(0, MAX_SHOWN_CHARACTERS)
  const reason = message ?? `The server answered ${status}, not as the API does: "${start}"`
  return new UploadError("Upload failed", { status, response, code, fieldErrors, reason })
}

// Returns the error that the API has sent. The response may come from any server, so each member is checked.
function errorIn(response: unknown): Partial<ApiErrorShape> {
  // The cast is safe: every member may be missing, and those that are used are checked below.
  const { error } = Object(response) as { error?: Partial<ApiErrorShape> | null }
  const { code, fieldErrors, message } = error ?? {}
  return {
    ...(typeof code === "string" && { code }),
    ...(Array.isArray(fieldErrors) && { fieldErrors }),
    ...(typeof message === "string" && { message }),
  }
}

function noAnswer(url: string, cause?: unknown): UploadError {
  const why = cause === undefined ? "" : `: ${messageOf(cause)}`
  const reason = `No answer from ${url}${why}. Is the server running, baseURL right, CORS set?`
  return new UploadError("Network error during upload", { reason, cause })
}

// Returns the message of an error. Node's fetch gives the reason for its failure only in the error's `cause`.
function messageOf(error: unknown): string {
  const { message, cause }: { message?: unknown; cause?: unknown } = Object(error)
  return cause instanceof Error ? messageOf(cause) : String(message ?? error)
}

function assertNotCancelled({ signal }: Options): void {
  if (signal?.aborted) throw cancelled(signal)
}

function cancelled(signal: AbortSignal | undefined): UploadError {
  const cause: unknown = signal?.reason
  return new UploadError("Upload cancelled", { cause, reason: messageOf(cause) })
}
