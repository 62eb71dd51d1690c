// An editor that speaks HTTP by itself: replicas of some documents, one stream, and one request at a time for each.

import { setTimeout as wait } from "node:timers/promises"
import * as encoding from "lib0/encoding"
import * as Y from "yjs"
import { present } from "../../support/present.ts"
import { openStream } from "../live/open-stream.ts"
import type { Place } from "./world.ts"

export type Address = Place & { recordId: string }

/** `url` returns the instance for the next request */
export type Setting = {
  url: () => string
  cookie: string
  addresses: readonly Address[]
  onMade?: (place: Place, update: Uint8Array) => void
  onAcknowledged?: (place: Place, update: Uint8Array) => void
}

const REMOTE = Symbol("from the server")
const RETURN_MS = 40
const ANSWER_MS = 20_000
// Refusals that pass: a request that took too long, too many requests, or a server that cannot do its work at the moment.
const PASSING = new Set([408, 429, 500, 502, 503, 504])
const PASSING_CODES = new Set(["TOO_MANY_REQUESTS", "INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE"])

/** One document of an editor. */
export class Replica {
  doc = new Y.Doc()
  epoch: string | undefined
  isSynced = false
  /** Updates that the server has not acknowledged. */
  pending: Uint8Array[] = []
  isSending = false

  readonly address: Address

  constructor(address: Address, onMade: (update: Uint8Array) => void) {
    this.address = address
    this.doc.on("update", (update, origin) => {
      if (origin === REMOTE) return
      this.pending.push(update)
      onMade(update)
    })
  }

  /** False until the document has been received once. */
  get isKnown() {
    return this.epoch !== undefined
  }

  /** Applies an update in base64. */
  receive(update: string) {
    Y.applyUpdate(this.doc, Buffer.from(update, "base64"), REMOTE)
  }
}

/**
 * It sends an update again only as long as that is not acknowledged. What the server loses later stays lost, unlike
 * with a client that compares its state with the server's on each connection.
 */
export class BareEditor {
  counts = { connections: 0, unknown: 0, refused: 0, endedTopics: 0 }
  /** Sentences about what must never happen. */
  faults: string[] = []
  #leaving = new AbortController()
  #isOver = false

  readonly setting: Setting
  readonly replicas
  readonly running

  constructor(setting: Setting) {
    this.setting = setting
    this.replicas = setting.addresses.map((address) => {
      const replica: Replica = new Replica(address, (update) => {
        setting.onMade?.(address, update)
        void this.#send(replica)
      })
      return replica
    })
    this.running = this.#run()
  }

  get isSettled() {
    return this.replicas.every(({ isSynced, pending }) => isSynced && pending.length === 0)
  }

  get state() {
    return this.replicas.map(({ isSynced, pending }) => `${isSynced ? "synced" : "apart"}, ${pending.length} pending`)
  }

  /** Cuts the stream and all requests, whose outcome then is unknown. Another connection follows. */
  cut() {
    this.#leaving.abort()
  }

  /** Ends for good; what is not acknowledged is gone. */
  async close() {
    this.#isOver = true
    this.#leaving.abort()
    await this.running
  }

  async #run() {
    while (!this.#isOver) {
      this.#leaving = new AbortController()
      await this.#listen().catch(() => {})
      for (const replica of this.replicas) replica.isSynced = false
      if (!this.#isOver) await wait(RETURN_MS)
    }
  }

  async #listen() {
    const { signal } = this.#leaving
    const documents = this.replicas.map(({ address, epoch, doc }) => ({
      id: address.name,
      resourceType: "collection",
      resource: "pages",
      recordId: address.recordId,
      field: address.field,
      epoch,
      stateVector: Buffer.from(Y.encodeStateVector(doc)).toString("base64"),
    }))
    const headers = { "content-type": "application/json", cookie: this.setting.cookie }
    const events = await openStream(this.setting.url(), { documents, headers, signal })
    this.counts.connections += 1
    for await (const event of events) {
      if (signal.aborted) return
      this.#hear(event)
    }
  }

  #hear({ name, json }: { name: string; json: string }) {
    const data = JSON.parse(json) ?? {}
    const replica = this.replicas.find(({ address }) => address.name === (data.documentId ?? data.topicId))
    if (name === "document") this.#sync(present(replica), data)
    else if (name === "edit") replica?.receive(data.update)
    else if (name === "problem" && data.message !== null) this.faults.push(`a problem: ${data.message}`)
    else if (name === "error") this.#fail(data)
  }

  #sync(replica: Replica, { epoch, update, canEdit, problem }: any) {
    if (replica.epoch !== undefined && replica.epoch !== epoch)
      this.faults.push(`${replica.address.name} was made again`)
    if (!canEdit) this.faults.push(`${replica.address.name} cannot be edited`)
    if (problem !== null) this.faults.push(`a problem: ${problem}`)
    replica.epoch = epoch
    replica.receive(update)
    replica.isSynced = true
    void this.#send(replica)
  }

  #fail({ topicId, code, message }: any) {
    this.counts.endedTopics += 1
    if (!PASSING_CODES.has(code)) this.faults.push(`${topicId} ended: ${code} ${message}`)
    // Asks for all documents again.
    this.cut()
  }

  /** Sends what is not acknowledged, until nothing is left. */
  async #send(replica: Replica) {
    if (replica.isSending || replica.epoch === undefined) return
    replica.isSending = true
    while (replica.pending.length > 0 && !this.#isOver) {
      const count = replica.pending.length
      const update = Y.mergeUpdates(replica.pending)
      if (await this.#post(replica, update)) {
        replica.pending.splice(0, count)
        this.setting.onAcknowledged?.(replica.address, update)
      } else await wait(RETURN_MS)
    }
    replica.isSending = false
  }

  /** Returns whether the update is acknowledged. */
  async #post({ address, epoch }: Replica, update: Uint8Array) {
    const { recordId, field } = address
    const signal = AbortSignal.any([this.#leaving.signal, AbortSignal.timeout(ANSWER_MS)])
    const headers = { "content-type": "application/octet-stream", cookie: this.setting.cookie }
    const path = `/crdt/pages/${recordId}/${field}/updates?epoch=${epoch}`
    const body = framesOf(update)
    const answer = await fetch(`${this.setting.url()}${path}`, { method: "POST", headers, body, signal })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined)
    if (answer === undefined) this.counts.unknown += 1
    else if (PASSING.has(answer.status)) this.counts.refused += 1
    else if (answer.status !== 200) this.faults.push(`an update was refused: ${answer.status} ${answer.text}`)
    return answer?.status === 200
  }
}

/** Returns the body of a request: the update, and no cursors. */
export function framesOf(update: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint8Array(encoder, update)
  encoding.writeVarUint8Array(encoder, new Uint8Array())
  return encoding.toUint8Array(encoder)
}
