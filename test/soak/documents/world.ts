// The app of the experiment in documents.ts: records with a collaborative field of each type.
import { collection, users } from "kit"

type Caller = { session: { user: { id: string } } | null }
export type Shape = "text" | "richText" | "json"
export type Place = { name: string; record: "shared" | "overwritten"; field: "notes" | "body" | "data"; shape: Shape }

const isSignedIn = ({ session }: Caller) => session !== null

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text(),
    notes: f.textarea().collaborative(),
    body: f.richText().collaborative(),
    data: f.json().collaborative(),
  }))
  .options({ versions: { max: 20 } })
  .access({ read: isSignedIn, create: isSignedIn, update: isSignedIn })

/** The first values of each record. */
export const FIRST_VALUES = {
  title: "A page",
  notes: "The first notes.",
  body: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "The first body." }] }] },
  data: { first: true, list: [1, 2, 3] },
}

/** The documents of the experiment. Plain updates set the field of the record "overwritten" while others edit it. */
export const PLACES: readonly Place[] = [
  { name: "text", record: "shared", field: "notes", shape: "text" },
  { name: "rich text", record: "shared", field: "body", shape: "richText" },
  { name: "json", record: "shared", field: "data", shape: "json" },
  { name: "overwritten text", record: "overwritten", field: "notes", shape: "text" },
]

/** The options for `testApp`. */
export const world = {
  collections: [users(), pages],
  config: {
    secret: "a secret of 32 characters or more",
    auth: { signUp: true },
    limits: { rate: false as const },
    realtime: { connectionsPerUser: 1_000 },
    // Silent, because the experiment makes the database unavailable on purpose.
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  },
}
