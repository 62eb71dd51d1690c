import { createClient } from "../../src/client.ts"
import { type CrdtOptions, createCrdtClient } from "../../src/crdt.ts"

/** Opens the document of the article "1" as a client of its own. */
export function openDocument(server: { readonly baseURL: string }, options?: CrdtOptions) {
  const client = createClient({ baseURL: server.baseURL })
  const crdt = createCrdtClient(client, options)
  const document = crdt.collections.articles?.document({ id: "1", field: "body" })
  if (!document) throw new Error("A client has every collection.")
  return { client, crdt, document, text: document.doc.getText("body"), [Symbol.dispose]: () => document.destroy() }
}
