// One of the two worlds: an app that gets requests, and names for its ids that are the same in both worlds.

import { type Caller, headersOf } from "./callers.ts"
import type { Names } from "./model.ts"

/** With `~…~` in place of ids that the server has made. */
export interface Request {
  readonly path: string
  readonly caller: Caller
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Sent as a form. */
  readonly file?: { text: string; name: string; fields: Record<string, string> }
}

/** SQL, past the app */
export type Query = (text: string, values: readonly unknown[]) => Promise<unknown>

export type Jobs = { settle(): Promise<void> }

export type Answer = { status: number; headers: Record<string, string>; text: string }

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
// The values in a cursor can be ids, too.
const CURSOR = /"(startCursor|endCursor)":"([\w-]+)"/g
const TOKEN = /~\w+~/g
// The signed path contains a random name.
const SIGNATURE = /signature=[\w-]+/g
const ORIGIN = "http://worlds.test/api"

export class World {
  #tokens: Map<string, string> = new Map()
  #ids: Map<string, string> = new Map()
  #seen = 0

  readonly names
  readonly query
  readonly app
  readonly stop
  readonly jobs

  constructor({
    names,
    app,
    query,
    jobs,
    stop,
  }: { names: Names; app: any; query: Query; jobs: Jobs; stop: () => Promise<void> }) {
    this.names = names
    this.query = query
    this.app = app
    this.stop = stop
    this.jobs = jobs
  }

  /** Returns the operations without rules. */
  get system(): any {
    return this.app.system
  }

  /** Resolves when the index worker has nothing left to do. */
  async indexed() {
    await this.jobs.settle()
  }

  /** Gives the id a name, under which it is known from now on. */
  learn(token: string, id: string) {
    this.#tokens.set(id, token)
    this.#ids.set(token, id)
  }

  /** Returns the value with the ids of this world in place of the names. */
  resolve<T>(value: T): T {
    return value === undefined ? value : JSON.parse(this.#resolved(JSON.stringify(value)))
  }

  /** Replaces ids and cursors by their names: ids of the server differ between the worlds, their names must not. */
  canonical(text: string) {
    return text
      .replace(CURSOR, (_all, name, cursor) => `"${name}":"${this.#cursorToken(cursor)}"`)
      .replace(UUID, (id) => this.#tokenOf(id))
      .replace(SIGNATURE, "signature=")
  }

  /** As `canonical`, for a text that callers may not have seen: ids and cursors without a name do not get one. */
  recognized(text: string) {
    return text
      .replace(CURSOR, (_all, name, cursor) => `"${name}":"${this.#tokens.get(cursor) ?? cursor}"`)
      .replace(UUID, (id) => this.#tokens.get(id) ?? id)
  }

  async ask(request: Request, requestId: string): Promise<Answer> {
    const response = await this.app.handler(this.request(request, requestId))
    const text = await response.text()
    const headers = Object.fromEntries([...response.headers].map(([name, value]) => [name, this.canonical(value)]))
    return { status: response.status, headers, text: this.canonical(text) }
  }

  /** Sends a request that only this world may answer: no id in the answer gets a name. */
  async askAlone(request: Request) {
    const response = await this.app.handler(this.request(request, "alone"))
    return { status: response.status, text: await response.text() }
  }

  request(request: Request, requestId: string) {
    const { path, caller, body, file, headers } = request
    const type = body === undefined ? {} : { "content-type": "application/json" }
    return new Request(ORIGIN + this.#resolved(path), {
      method: methodOf(request),
      headers: { ...headersOf(caller), ...type, "x-request-id": requestId, ...headers },
      ...(body !== undefined && { body: this.#resolved(JSON.stringify(body)) }),
      ...(file && { body: formOf(file) }),
    })
  }

  #resolved(text: string) {
    return text.replace(TOKEN, (token) => this.#ids.get(token) ?? token)
  }

  #tokenOf(id: string) {
    const known = this.#tokens.get(id)
    return known ?? this.#named(id, (number) => `~${number}~`)
  }

  // The name has the length, because a length that depends on hidden values would reveal something of them.
  #cursorToken(cursor: string) {
    const known = this.#tokens.get(cursor)
    return known ?? this.#named(cursor, (number) => `~cursor_${number}_${cursor.length}~`)
  }

  #named(text: string, nameOf: (number: number) => string) {
    this.#seen += 1
    const token = nameOf(this.#seen)
    this.learn(token, text)
    return token
  }
}

export function methodOf({ method, body, file }: Request) {
  return method ?? (body || file ? "POST" : "GET")
}

function formOf({ text, name, fields }: NonNullable<Request["file"]>) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append("file", new Blob([text]), name)
  return form
}
