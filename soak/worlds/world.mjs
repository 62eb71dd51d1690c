// One of the two worlds: an app that gets requests, and names for its ids that are the same in both worlds.
import { headersOf } from "./callers.mjs"

/**
 * @typedef {object} Request  with `~…~` in place of ids that the server has made
 * @property {string} path
 * @property {import("./callers.mjs").Caller} caller
 * @property {string} [method]
 * @property {unknown} [body]
 * @property {Record<string, string>} [headers]
 * @property {{ text: string, name: string, fields: Record<string, string> }} [file]  sent as a form
 *
 * @typedef {(text: string, values: readonly unknown[]) => Promise<unknown>} Query  SQL, past the app
 *
 * @typedef {{ settle(): Promise<void> }} Jobs
 *
 * @typedef {{ status: number, headers: Record<string, string>, text: string }} Answer
 */

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TOKEN = /~\w+~/g
// The signed path contains a random name.
const SIGNATURE = /signature=[\w-]+/g
const ORIGIN = "http://worlds.test/api"

export class World {
  /** @type {Map<string, string>} */
  #tokens = new Map()
  /** @type {Map<string, string>} */
  #ids = new Map()
  #seen = 0

  /** @param {{ names: import("./model.mjs").Names, app: any, query: Query, jobs: Jobs, stop: () => Promise<void> }} parts */
  constructor({ names, app, query, jobs, stop }) {
    this.names = names
    this.query = query
    this.app = app
    this.stop = stop
    this.jobs = jobs
  }

  /** Returns the operations without rules. @returns {any} */
  get system() {
    return this.app.system
  }

  /** Resolves when the index worker has nothing left to do. */
  async indexed() {
    await this.jobs.settle()
  }

  /** Gives the id a name, under which it is known from now on. @param {string} token @param {string} id */
  learn(token, id) {
    this.#tokens.set(id, token)
    this.#ids.set(token, id)
  }

  /** Returns the value with the ids of this world in place of the names. @template T @param {T} value @returns {T} */
  resolve(value) {
    return value === undefined ? value : JSON.parse(this.#resolved(JSON.stringify(value)))
  }

  /**
   * Replaces ids by their names: ids of the server differ between the worlds, their names must not.
   *
   * @param {string} text
   */
  canonical(text) {
    return text.replace(UUID, (id) => this.#tokenOf(id)).replace(SIGNATURE, "signature=")
  }

  /**
   * As `canonical`, for a text that callers may not have seen: ids without a name do not get one.
   *
   * @param {string} text
   */
  recognized(text) {
    return text.replace(UUID, (id) => this.#tokens.get(id) ?? id)
  }

  /** @param {Request} request @param {string} requestId @returns {Promise<Answer>} */
  async ask(request, requestId) {
    const response = await this.app.handler(this.request(request, requestId))
    const text = await response.text()
    const headers = Object.fromEntries([...response.headers].map(([name, value]) => [name, this.canonical(value)]))
    return { status: response.status, headers, text: this.canonical(text) }
  }

  /** Sends a request that only this world may answer: no id in the answer gets a name. @param {Request} request */
  async askAlone(request) {
    const response = await this.app.handler(this.request(request, "alone"))
    return { status: response.status, text: await response.text() }
  }

  /** @param {Request} request @param {string} requestId */
  request(request, requestId) {
    const { path, caller, body, file, headers } = request
    const type = body === undefined ? {} : { "content-type": "application/json" }
    return new Request(ORIGIN + this.#resolved(path), {
      method: methodOf(request),
      headers: { ...headersOf(caller), ...type, "x-request-id": requestId, ...headers },
      ...(body !== undefined && { body: this.#resolved(JSON.stringify(body)) }),
      ...(file && { body: formOf(file) }),
    })
  }

  /** @param {string} text */
  #resolved(text) {
    return text.replace(TOKEN, (token) => this.#ids.get(token) ?? token)
  }

  /** @param {string} id */
  #tokenOf(id) {
    const known = this.#tokens.get(id)
    if (known !== undefined) return known
    this.#seen += 1
    const token = `~${this.#seen}~`
    this.learn(token, id)
    return token
  }
}

/** @param {Request} request */
export function methodOf({ method, body, file }) {
  return method ?? (body || file ? "POST" : "GET")
}

/** @param {NonNullable<Request["file"]>} file */
function formOf({ text, name, fields }) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append("file", new Blob([text]), name)
  return form
}
