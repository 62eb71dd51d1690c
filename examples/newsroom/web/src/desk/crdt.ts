import { createCrdtClient } from "kit/crdt"
import { client } from "../client.ts"

/** The client of shared texts. It keeps a copy of each on this device, so that they can be read without a connection. */
export const crdt = createCrdtClient(client)
