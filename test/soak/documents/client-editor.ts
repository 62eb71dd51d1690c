// An editor that uses the framework's client.

import { createClient } from "kit/client"
import { type CollaborativeDocument, createCrdtClient } from "kit/crdt"
import { present } from "../../support/present.ts"
import type { Address, Setting } from "./bare-editor.ts"

/** One document of an editor. */
class ClientReplica {
  /** False until the document has been received once. */
  isKnown = false
  #unacknowledged: Uint8Array[] = []
  #handle

  readonly address
  readonly doc

  constructor(handle: CollaborativeDocument, { address, setting }: { address: Address; setting: Setting }) {
    this.address = address
    this.doc = handle.doc
    this.#handle = handle
    handle.doc.on("update", (update, _origin, _doc, { local }) => {
      if (!local) return
      this.#unacknowledged.push(update)
      setting.onMade?.(address, update)
    })
    handle.subscribe(() => {
      this.isKnown ||= handle.status === "synced"
      if (handle.pending > 0) return
      for (const update of this.#unacknowledged.splice(0)) setting.onAcknowledged?.(address, update)
    })
  }

  get isSettled() {
    const { status, pending } = this.#handle
    return status === "synced" && pending === 0
  }

  get fault() {
    const { status, error, problem } = this.#handle
    if (status === "denied") return `${this.address.name} was denied: ${error?.message}`
    return problem === null ? undefined : `a problem: ${problem}`
  }
}

/** The framework's client, whose requests go to one instance or the other. */
export class ClientEditor {
  counts = { connections: 0, unknown: 0, refused: 0, endedTopics: 0 }
  #leaving = new AbortController()

  readonly client
  readonly handles
  readonly replicas

  constructor(setting: Setting) {
    const { origin, pathname } = new URL(setting.url())
    const send: typeof fetch = (input, init = {}) => {
      const url = String(input)
      if (url.endsWith("/realtime")) this.counts.connections += 1
      const signals = [this.#leaving.signal, ...(init.signal ? [init.signal] : [])]
      const headers = new Headers(init.headers)
      headers.set("cookie", setting.cookie)
      const here = url.replace(origin, new URL(setting.url()).origin)
      return fetch(here, { ...init, headers, signal: AbortSignal.any(signals) }).catch((error) => {
        this.counts.unknown += 1
        throw error
      })
    }
    this.client = createClient({ baseURL: origin, basePath: pathname, fetch: send })
    const { pages } = createCrdtClient(this.client, { store: false }).collections
    this.handles = setting.addresses.map(({ recordId, field }) => present(pages).document({ id: recordId, field }))
    this.replicas = setting.addresses.map(
      (address, index) => new ClientReplica(present(this.handles[index]), { address, setting }),
    )
  }

  get isSettled() {
    return this.replicas.every(({ isSettled }) => isSettled)
  }

  get state() {
    return this.handles.map(({ status, pending, error }) => `${status}, ${pending} pending, ${error}`)
  }

  get faults() {
    return this.replicas.flatMap(({ fault }) => fault ?? [])
  }

  /** Cuts the stream and all requests, whose outcome then is unknown. */
  cut() {
    this.#leaving.abort()
    this.#leaving = new AbortController()
  }

  /** Ends for good; what is not acknowledged is gone. */
  async close() {
    // Nothing may be sent as a farewell.
    this.#leaving.abort()
    for (const handle of this.handles) handle.destroy()
    await this.client.realtime.destroy()
  }
}
