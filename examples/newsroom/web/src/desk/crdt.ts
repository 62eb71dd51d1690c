import { createCrdtClient } from "kit/crdt"
import { client } from "../client.ts"

/** The client of shared texts. It keeps a copy of each on this device, so that they can be read without a connection. */
export const crdt = createCrdtClient(client)

/** Deletes the copies that this device has kept. Somebody who signs out leaves nothing of the articles behind. */
export function forgetTexts(): Promise<void> {
  return crdt.clear()
}
