import { createCrdtClient } from "kit/crdt"
import { client } from "../client.ts"

/** The client of shared texts. It is loaded with the first of them. */
export const crdt = createCrdtClient(client)
