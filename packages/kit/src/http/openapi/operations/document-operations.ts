import type { Content, Parameter } from "../openapi-document.ts"
import { objectOf, TEXT } from "../schema-parts.ts"
import type { EndpointTable, ResourceOperation } from "./endpoint-description.ts"

const PARAMETERS: readonly Parameter[] = [
  {
    name: "epoch",
    in: "query",
    description: "The epoch in the document's first event. Needed for an update.",
    schema: TEXT,
  },
  {
    name: "stream",
    in: "query",
    description: "The sessionId of the stream that follows the document. Needed for an awareness update.",
    schema: TEXT,
  },
]

const ANSWER: Content = {
  "application/json": {
    schema: objectOf({ seq: { type: ["integer", "null"], description: "The number of the stored update." } }),
  },
}

const SEND: ResourceOperation = {
  kind: "resource",
  method: "sendUpdate",
  summary: "Send an update of a collaborative document",
  description:
    "The body has two parts, each preceded by its length: an update in the format of Yjs, and an awareness update. Either may be empty. The answer comes after the commit.",
  needs: ["read"],
  isForDocuments: true,
  options: ["locale"],
  parameters: PARAMETERS,
  body: () => ({ "application/octet-stream": { schema: {} } }),
  answer: () => ANSWER,
  errors: ["CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"],
}

/** The endpoints of every collection and global with collaborative fields. */
export const DOCUMENT_OPERATIONS: EndpointTable = {
  "POST /crdt/:collection/:id/:field/updates": SEND,
  "POST /crdt/globals/:name/:field/updates": SEND,
}
