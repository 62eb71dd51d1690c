import { HocuspocusProvider, HocuspocusProviderWebsocket } from "@hocuspocus/provider"
import WebSocket from "ws"
import * as Y from "yjs"
import { strokesIn, typeInto } from "./document-typist.mjs"

/** Types into a document of Hocuspocus, through its own provider. */
export class HocuspocusTypist {
  doc = new Y.Doc()
  isReady = false
  #socket
  #provider

  /** @param {import("./typist.mjs").TypistOptions} options */
  constructor({ port, room, onReceived }) {
    this.#socket = new HocuspocusProviderWebsocket({ url: `ws://127.0.0.1:${port}`, WebSocketPolyfill: WebSocket })
    this.ready = new Promise((resolve) => {
      const onSynced = () => {
        this.isReady = true
        resolve(undefined)
      }
      this.#provider = new HocuspocusProvider({
        websocketProvider: this.#socket,
        name: room,
        document: this.doc,
        awareness: null,
        onSynced,
      })
      this.#provider.attach()
    })
    this.doc.on("update", (update, origin) => {
      if (origin !== this.#provider || !this.isReady) return
      for (const strokes of strokesIn(update)) onReceived(this.client, strokes)
    })
  }

  get client() {
    return this.doc.clientID
  }

  /** @param {(bound: number) => number} below */
  type(below) {
    return typeInto(this.doc, below)
  }

  close() {
    this.#provider?.destroy()
    this.#socket.destroy()
  }
}
