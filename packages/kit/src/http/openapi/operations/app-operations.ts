import { QUERY_LIMITS } from "../../../wire/options/query-options.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import { SEARCH_LIMITS } from "../../../wire/results/search.ts"
import { TITLE_LIMITS } from "../../../wire/results/titles.ts"
import { INDEX_SCHEMA, RECORDS_ACCESS_SCHEMA } from "../components/introspection-schemas.ts"
import {
  ANY_OBJECT,
  ANYTHING,
  FLAG,
  listOf,
  mapOf,
  objectOf,
  TEXT,
  TEXT_OR_NULL,
  WHOLE_NUMBER,
} from "../schema-parts.ts"
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

const DOCUMENT = objectOf({
  id: TEXT,
  resourceType: { enum: ["collection", "global"] },
  resource: TEXT,
  "recordId?": TEXT,
  "field?": TEXT,
  "locale?": TEXT,
  "epoch?": TEXT,
  "stateVector?": TEXT,
})

const CHANNEL = objectOf({ id: TEXT, channel: TEXT, "params?": ANY_OBJECT, "lastEventId?": TEXT })

const { defaultLimit, maxLimit, maxOffset, maxFacets, maxFacetLimit, maxRanges } = SEARCH_LIMITS
const BOUND: JsonSchema = { type: ["string", "number"] }

const FACET = objectOf({
  field: TEXT,
  "limit?": { type: "integer", minimum: 1, maximum: maxFacetLimit },
  "sortBy?": { enum: ["count", "value"] },
  "ranges?": { ...listOf(objectOf({ "from?": BOUND, "to?": BOUND })), minItems: 1, maxItems: maxRanges },
})

const SEARCH = objectOf({
  query: {
    type: "string",
    maxLength: QUERY_LIMITS.maxSearchLength,
    description: "The text that a person typed. If it is empty, all readable records are found, the newest first.",
  },
  "collections?": { ...listOf(TEXT), minItems: 1, uniqueItems: true },
  "mode?": { enum: ["lexical", "semantic", "hybrid"] },
  "limit?": { type: "integer", minimum: 1, maximum: maxLimit, default: defaultLimit },
  "offset?": { type: "integer", minimum: 0, maximum: maxOffset },
  "where?": { ...mapOf(ANY_OBJECT), description: "For each collection, a filter as in a read of its records." },
  "with?": { ...mapOf(ANY_OBJECT), description: "For each collection, the related records to include." },
  "columns?": { ...mapOf(mapOf(FLAG)), description: "For each collection, the fields to return, or to leave out." },
  "highlights?": FLAG,
  "facets?": { ...listOf(FACET), maxItems: maxFacets },
  "locale?": TEXT,
  "localeFallback?": FLAG,
  "stage?": TEXT,
})

const FOUND: JsonSchema = {
  ...objectOf({
    _collection: TEXT,
    _search: objectOf({ score: { type: "number" }, highlights: mapOf(listOf(TEXT)), indexedTitle: TEXT_OR_NULL }),
  }),
  additionalProperties: true,
  description: "A record of the collection that _collection names.",
}

const BUCKET: JsonSchema = {
  anyOf: [
    objectOf({ value: { type: ["string", "number", "boolean", "null"] }, count: WHOLE_NUMBER }),
    objectOf({ "from?": BOUND, "to?": BOUND, count: WHOLE_NUMBER }),
  ],
}

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
  "POST /_kit/access": {
    kind: "fixed",
    id: "recordsAccess",
    tag: "kit",
    dependsOnCaller: true,
    summary: "Find out what the caller may do with each of several records of a collection",
    description:
      "The answer has an entry for each id, in their order. It is null for a record that the caller may not read.",
    body: objectOf({
      resource: TEXT,
      ids: { ...listOf(TEXT), maxItems: QUERY_LIMITS.maxAccessIds },
      "locale?": TEXT,
      "includeDeleted?": FLAG,
    }),
    answer: RECORDS_ACCESS_SCHEMA,
    errors: ["NOT_FOUND", "UNAUTHORIZED", "FORBIDDEN", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"],
  },
  "POST /_kit/find-by-title": {
    kind: "fixed",
    id: "search.findByTitle",
    tag: "search",
    dependsOnCaller: true,
    summary: "Find records of all collections by their titles",
    description:
      "Finds only what the caller may read. A title matches if it has a word that begins with each word of the query. " +
      "Collections in notSearched are too large to be searched by this query.",
    body: objectOf({
      query: { type: "string", minLength: 1, maxLength: TITLE_LIMITS.maxQueryLength },
      "limit?": { type: "integer", minimum: 1, maximum: TITLE_LIMITS.maxLimit, default: TITLE_LIMITS.defaultLimit },
      "drafts?": FLAG,
      "locale?": TEXT,
      "localeFallback?": FLAG,
    }),
    answer: objectOf({
      docs: listOf(objectOf({ collection: TEXT, id: TEXT, title: TEXT })),
      notSearched: listOf(TEXT),
    }),
    errors: ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"],
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
    id: "search.reindex",
    tag: "search",
    dependsOnCaller: true,
    requires: "search",
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
    summary: "Open a stream of live queries, channels and documents, or change the topics of an open stream",
    description:
      "The body is plain JSON. With sessionId and token it changes the topics of that stream, and the answer is 202 without a stream.",
    body: objectOf({
      topics: listOf(TOPIC),
      "channels?": listOf(CHANNEL),
      "documents?": listOf(DOCUMENT),
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
  "GET /_kit/channels/:channel/events": {
    kind: "fixed",
    id: "channels.findEvents",
    tag: "channels",
    dependsOnCaller: true,
    summary: "List the stored events of a channel, the newest first",
    description: "For callers who may subscribe to the channel.",
    requires: "channels",
    parameters: [
      {
        name: "params",
        in: "query",
        description: "The values of the channel's parameters.",
        style: "deepObject",
        explode: true,
        schema: mapOf(TEXT),
      },
      {
        name: "limit",
        in: "query",
        description: `How many; ${QUERY_LIMITS.defaultLimit} unless set.`,
        schema: { type: "integer", minimum: 1, maximum: QUERY_LIMITS.maxLimit },
      },
      {
        name: "after",
        in: "query",
        description: "The endCursor of a page, to get the older events behind it; empty for the newest ones.",
        schema: TEXT,
      },
      {
        name: "before",
        in: "query",
        description: "The startCursor of a page, to get the newer events before it; empty for the oldest ones.",
        schema: TEXT,
      },
    ],
    answer: objectOf({
      docs: listOf(objectOf({ event: TEXT, eventId: TEXT, data: ANYTHING })),
      limit: WHOLE_NUMBER,
      hasPrevPage: FLAG,
      hasNextPage: FLAG,
      startCursor: TEXT_OR_NULL,
      endCursor: TEXT_OR_NULL,
    }),
    errors: ["NOT_FOUND"],
  },
  "POST /search": {
    kind: "fixed",
    id: "search.search",
    tag: "search",
    dependsOnCaller: true,
    summary: "Search collections",
    description: "Finds only what the caller may read. Each record has its collection's name, and how it matched.",
    requires: "search",
    body: SEARCH,
    answer: objectOf({ docs: listOf(FOUND), total: WHOLE_NUMBER, "facets?": mapOf(listOf(BUCKET)) }),
    errors: ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"],
  },
  "GET /_kit/console": { kind: "none", reason: "the console, a page" },
  "GET /_kit/console/": { kind: "none", reason: "the console, a page" },
  "GET /_kit/console/*path": { kind: "none", reason: "the console, a page" },
  "GET /_kit/mail": { kind: "none", reason: "a page of development" },
  "GET /_kit/mail/:id": { kind: "none", reason: "a page of development" },
  "GET /_kit/dev": { kind: "none", reason: "the status of development, for its page" },
  "GET /_kit/guide/:file": { kind: "none", reason: "the documentation, in development" },
}
