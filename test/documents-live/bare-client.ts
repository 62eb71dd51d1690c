import type { Session } from "kit"
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from "y-protocols/awareness"
import { applyUpdate, Doc, encodeStateAsUpdate, encodeStateVector, mergeUpdates } from "yjs"
import type { WireDocument } from "../../packages/kit/src/wire/realtime/topic.ts"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { sessions } from "../support/worlds/test-app.ts"

export interface Caller {
  readonly url: string
  readonly session?: Session | undefined
  readonly headers?: Record<string, string>
}

/** A document as a test names it: a record of a collection, or a global. */
export interface Place {
  readonly collection?: string
  readonly global?: string
  readonly id?: string
  readonly field: string
  readonly locale?: string
}

interface AnsweredError {
  readonly code: string
  readonly message: string
  readonly context?: Readonly<Record<string, unknown>>
  readonly fieldErrors?: readonly { readonly path: string; readonly message: string }[]
}

export interface Answered {
  readonly status: number
  /** The number of the update, or the error. */
  readonly body: { readonly seq?: number | null; readonly error: AnsweredError }
}

interface Sent {
  readonly update?: Uint8Array
  readonly awareness?: Uint8Array
  readonly body?: Uint8Array
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
}

const NOTHING = new Uint8Array()

export function wireDocument(place: Place, more: object = {}): Omit<WireDocument, "id"> & { id: string } {
  const { collection, global, id: recordId, field, locale } = place
  const resource = collection ?? global ?? ""
  const resourceType = collection === undefined ? "global" : "collection"
  return { id: "doc", resourceType, resource, recordId, field, locale, ...more }
}

/** Sends a body to a document, as a client without any library would. */
export async function postUpdate({ url, session, headers }: Caller, place: Place, sent: Sent): Promise<Answered> {
  const { collection, global, id, field, locale } = place
  const path = collection === undefined ? `globals/${global}` : `${collection}/${id}`
  const query = new URLSearchParams({ ...(locale && { locale }), ...sent.query })
  const response = await fetch(`${url}/crdt/${path}/${field}/updates?${query}`, {
    method: "POST",
    headers: {
      "content-type": "application/octet-stream",
      ...(session && { cookie: sessions.sign(session) }),
      ...headers,
      ...sent.headers,
    },
    body: Buffer.from(sent.body ?? framesOf(sent)),
  })
  const text = await response.text()
  return { status: response.status, body: text === "" ? null : JSON.parse(text) }
}

export function framesOf({ update = NOTHING, awareness = NOTHING }: Sent): Uint8Array {
  return Buffer.concat([varuint(update.length), update, varuint(awareness.length), awareness])
}

export function varuint(number: number): Uint8Array {
  const bytes: number[] = []
  let rest = number
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

export const fromBase64 = (text: string) => new Uint8Array(Buffer.from(text, "base64"))
export const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")

/** A client of one document, made of Yjs, a stream and requests. It sends nothing by itself. */
export class BareClient implements AsyncDisposable {
  readonly doc = new Doc()
  readonly awareness = new Awareness(this.doc)
  readonly caller: Caller
  readonly place: Place
  stream: EventReader
  epoch = ""
  problem: string | null = null
  streamId = ""
  #unsent: Uint8Array[] = []

  private constructor(caller: Caller, place: Place, stream: EventReader) {
    this.caller = caller
    this.place = place
    this.stream = stream
    this.doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin !== this) this.#unsent.push(update)
    })
  }

  /** Opens the document, and waits until it has come. */
  static async open(caller: Caller, place: Place): Promise<BareClient> {
    const stream = await openEvents({ ...caller, documents: [wireDocument(place)] })
    const client = new BareClient(caller, place, stream)
    client.streamId = (await stream.next("session")).sessionId
    await client.document()
    return client
  }

  /** Waits for the next whole document. */
  async document() {
    const document = await this.stream.next("document")
    this.epoch = document.epoch
    this.problem = document.problem
    applyUpdate(this.doc, fromBase64(document.update), this)
    return document
  }

  /** Applies the edits that have come. */
  read(): void {
    for (const event of this.stream.events) {
      if (event.name === "edit" || event.name === "document") applyUpdate(this.doc, fromBase64(event.data.update), this)
      if (event.name === "awareness") applyAwarenessUpdate(this.awareness, fromBase64(event.data.update), this)
    }
  }

  /** Waits for the next edit, and applies it. */
  async edit(): Promise<Uint8Array> {
    const update = fromBase64((await this.stream.next("edit")).update)
    applyUpdate(this.doc, update, this)
    return update
  }

  /** Returns what the user has typed since the last call. */
  takeUpdate(): Uint8Array {
    const update = mergeUpdates(this.#unsent)
    this.#unsent = []
    return update
  }

  /** Sends what the user has typed. */
  send(sent: Sent = {}): Promise<Answered> {
    const update = this.#unsent.length > 0 ? { update: this.takeUpdate() } : {}
    return this.post({ ...update, ...sent })
  }

  post({ query, ...sent }: Sent, url = this.caller.url): Promise<Answered> {
    return postUpdate({ ...this.caller, url }, this.place, {
      ...sent,
      query: { epoch: this.epoch, stream: this.streamId, ...query },
    })
  }

  /** Sends the state of the client's cursor. */
  sendState(state: Record<string, unknown> | null): Promise<Answered> {
    this.awareness.setLocalState(state)
    return this.post({ awareness: encodeAwarenessUpdate(this.awareness, [this.doc.clientID]) })
  }

  get text(): string {
    return this.doc.getText(this.place.field).toString()
  }

  get stateVector(): string {
    return toBase64(encodeStateVector(this.doc))
  }

  get state(): Uint8Array {
    return encodeStateAsUpdate(this.doc)
  }

  async [Symbol.asyncDispose]() {
    this.awareness.destroy()
    this.doc.destroy()
    await this.stream[Symbol.asyncDispose]()
  }
}
