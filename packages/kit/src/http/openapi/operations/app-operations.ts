import { INDEX_SCHEMA } from "../components/introspection-schemas.ts"
import { ANY_OBJECT, ANYTHING, listOf, objectOf, TEXT } from "../schema-parts.ts"
import type { EndpointTable, FixedOperation } from "./endpoint-description.ts"

const HEALTH: Omit<FixedOperation, "id"> = {
  kind: "fixed",
  tag: "kit",
  summary: "Find out whether the process responds",
  answer: objectOf({ status: { const: "ok" } }),
}

const TOPIC = {
  ...objectOf({ id: TEXT, resourceType: { enum: ["collection", "global"] }, resource: TEXT, "lastHash?": TEXT }),
  description: "A live query: the resource, and the options of a read of it.",
}

const CHANNEL = objectOf({ id: TEXT, channel: TEXT, "params?": ANY_OBJECT, "lastEventId?": TEXT })

/** The endpoints of the app itself, besides its records and users. */
export const APP_OPERATIONS: EndpointTable = {
  "GET /": {
    kind: "fixed",
    id: "root",
    tag: "kit",
    summary: "Find out that the API is here",
    answer: objectOf({ name: TEXT, kit: TEXT, health: TEXT }),
  },
  "GET /health": { ...HEALTH, id: "healthAlias" },
  "GET /_kit/health": { ...HEALTH, id: "health" },
  "GET /_kit/ready": {
    kind: "fixed",
    id: "ready",
    tag: "kit",
    summary: "Find out whether the process can serve requests",
    answer: objectOf({ status: { enum: ["ready", "degraded"] }, "problems?": listOf(TEXT) }),
  },
  "GET /_kit/schema": {
    kind: "fixed",
    id: "schema",
    tag: "kit",
    dependsOnCaller: true,
    summary: "List the collections and globals that the caller may know",
    parameters: [{ name: "locale", in: "query", description: "The locale of the labels.", schema: TEXT }],
    answer: INDEX_SCHEMA,
    further: [304],
  },
  "POST /_kit/preview-url": {
    kind: "fixed",
    id: "previewUrl",
    tag: "kit",
    dependsOnCaller: true,
    summary: "Find the address of the page that shows a record",
    body: objectOf({ resource: TEXT, "id?": TEXT, "stage?": TEXT, "locale?": TEXT }),
    answer: objectOf({ url: { type: ["string", "null"] } }),
    errors: ["NOT_FOUND", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"],
  },
  "GET /_kit/openapi.json": {
    kind: "fixed",
    id: "openapi",
    tag: "kit",
    dependsOnCaller: true,
    summary: "Get this document",
    parameters: [
      {
        name: "all",
        in: "query",
        description: "Describes the whole app instead of what the caller may do. Only for developers.",
        schema: { type: "boolean" },
      },
    ],
    answer: ANY_OBJECT,
    further: [304],
  },
  "POST /search/reindex/:collection": {
    kind: "fixed",
    id: "reindex",
    tag: "search",
    dependsOnCaller: true,
    summary: "Rebuild the search index of a collection",
    description: "Needs an update rule that allows all records. Searches are answered meanwhile.",
    parameters: [
      {
        name: "wait",
        in: "query",
        description: "Answers when the index is rebuilt, and not when the rebuild has begun.",
        schema: { type: "boolean" },
      },
    ],
    answer: objectOf({ success: { const: true }, collection: TEXT }),
    errors: ["NOT_FOUND"],
  },
  "POST /realtime": {
    kind: "fixed",
    id: "realtime",
    tag: "realtime",
    dependsOnCaller: true,
    summary: "Open a stream of live queries and channels, or change the topics of an open stream",
    description:
      "The body is plain JSON. With sessionId and token it changes the topics of that stream, and the answer is 202 without a stream.",
    body: objectOf({
      topics: listOf(TOPIC),
      "channels?": listOf(CHANNEL),
      "sessionId?": TEXT,
      "token?": TEXT,
    }),
    content: { "text/event-stream": { schema: TEXT } },
    further: [202],
    errors: ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"],
  },
  "POST /channels/publish": {
    kind: "fixed",
    id: "channels.publish",
    tag: "channels",
    dependsOnCaller: true,
    summary: "Publish an event to a channel",
    requires: "channels",
    body: objectOf({ channel: TEXT, "params?": ANY_OBJECT, event: TEXT, "data?": ANYTHING }),
    answer: objectOf({ eventId: TEXT }),
    errors: ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"],
  },
  "GET /_kit/mail": { kind: "none", reason: "a page of development" },
  "GET /_kit/mail/:id": { kind: "none", reason: "a page of development" },
  "GET /_kit/dev": { kind: "none", reason: "the status of development, for its page" },
  "GET /_kit/guide/:file": { kind: "none", reason: "the documentation, in development" },
}
