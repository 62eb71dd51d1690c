import { isObject } from "../../wire/codecs/is-object.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import type { FindOptions } from "../../wire/options/query-options.ts"
import { isPathId, readByIdOf } from "../../wire/options/read-by-id.ts"
import { AGGREGATE_PATH, RECORDS_ACCESS_PATH, segment } from "../../wire/paths/paths.ts"
import type { CollectionOperations, NamedRecord, RecordData } from "../../wire/results/operations.ts"
import type { Page } from "../../wire/results/results.ts"
import type { FileUploads } from "../../wire/results/uploads.ts"
import type { Call, Outcome } from "../transport/call.ts"
import { callSender, type SendCall, type TrailingOptions } from "../transport/call-sender.ts"
import type { Transport } from "../transport/transport.ts"
import { bodyOf, definedOnly, fitsUrl, queryOf } from "./query.ts"
import { CANCEL_TRANSITION, FIND_TRANSITION, transitionCall } from "./transitions.ts"

/** The signature of a collection operation in a client. It adds a last argument for the options of the call. */
type ClientOperation<Name extends keyof CollectionOperations> = (
  input: Parameters<CollectionOperations[Name]>[0],
  options?: TrailingOptions,
) => ReturnType<CollectionOperations[Name]>

type ClientOperations = FileUploads<RecordData, RecordData> & {
  readonly [Name in keyof CollectionOperations]: ClientOperation<Name>
} & {
  readonly update: ClientOperation<"updateById">
  readonly delete: ClientOperation<"deleteById">
  readonly restore: ClientOperation<"restoreById">
}

interface Collection {
  readonly transport: Transport
  readonly name: string
  readonly call: SendCall
}

export function collectionOperations(transport: Transport, name: string): ClientOperations {
  const call = callSender(transport, segment, name)
  const aggregates = callSender(transport, String, AGGREGATE_PATH)
  const collection = { transport, name, call }
  const callOne = <Answer>(made: Call, target: NamedRecord, options?: TrailingOptions) =>
    sendForRecord<Answer>(collection, { made, target }, options)
  const updateById: ClientOperation<"updateById"> = ({ data, ...target }, options) =>
    callOne({ method: "PATCH", path: "", body: data }, target, options)
  const deleteById: ClientOperation<"deleteById"> = (target, options) =>
    callOne({ method: "DELETE", path: "" }, target, options)
  const restoreById: ClientOperation<"restoreById"> = (target, options) =>
    callOne({ method: "POST", path: "/restore" }, target, options)
  return {
    find: async (options, limits) => await transport.send(findCall(name, options, limits)),
    findOne: (options, limits) => findOne(collection, options ?? {}, limits),
    count: (options, limits) => count(collection, options ?? {}, limits),
    aggregate: (body, options) => sendFiltered(aggregates, { method: "POST", path: segment(name), body }, options),
    create: (body, options) => call({ method: "POST", path: "", body }, options),
    updateById,
    update: updateById,
    deleteById,
    delete: deleteById,
    updateMany: (body, options) => sendFiltered(call, { method: "PATCH", path: "", body }, options),
    updateBatch: (body, options) => call({ method: "POST", path: "/update-batch", body }, options),
    deleteMany: (body, options) => sendFiltered(call, { method: "POST", path: "/delete-many", body }, options),
    restoreById,
    restore: restoreById,
    purgeById: (target, options) => callOne({ method: "POST", path: "/purge" }, target, options),
    findVersions: ({ id, ...window }, options) =>
      callOne({ method: "GET", path: "/versions" }, { id }, { ...window, ...options }),
    revertToVersion: ({ id, expectedRevision, ...body }, options) =>
      callOne({ method: "POST", path: "/revert", body }, { id, expectedRevision }, options),
    transitionStage: ({ id, expectedRevision, ...transition }, options) =>
      callOne(transitionCall(transition), { id, expectedRevision }, options),
    findTransition: (target, options) => callOne(FIND_TRANSITION, target, options),
    cancelTransition: (target, options) => callOne(CANCEL_TRANSITION, target, options),
    meta: (options, limits) => call({ method: "GET", path: "/meta" }, { ...options, ...limits }),
    schema: (options, limits) => call({ method: "GET", path: "/schema" }, { ...options, ...limits }),
    access: ({ id, ...options }, limits) =>
      callOne({ method: "GET", path: "/access" }, { id }, { ...options, ...limits }),
    accessMany: async (targets, options) =>
      await transport.send({
        method: "POST",
        path: RECORDS_ACCESS_PATH,
        body: { resource: name, ...targets },
        options,
      }),
    upload: async (file, options) => (await loadUploads()).upload(collection, file, options),
    uploadMany: async (files, options) => (await loadUploads()).uploadMany(collection, files, options),
  }
}

// Loads the code for uploads with the first upload, because few pages upload files.
function loadUploads() {
  return import("./upload.ts")
}

async function sendForRecord<Answer>(
  { call }: Collection,
  { made, target }: { made: Call; target: NamedRecord },
  options?: TrailingOptions,
): Promise<Answer> {
  const { id, ...more } = target
  // All other members are sent, so that the server refuses a misspelt one.
  return await call<Answer>({ ...made, path: pathOf(id) + made.path }, { ...options, ...definedOnly(more) })
}

async function sendFiltered<Answer>(
  call: SendCall,
  made: Call & { readonly body: { readonly where?: object | undefined; readonly having?: object | undefined } },
  options?: TrailingOptions,
): Promise<Answer> {
  // `queryOf` is called only because it throws if a condition of the filter is undefined. JSON would leave out that
  // condition, and the filter would match too many records.
  for (const where of [made.body.where, made.body.having]) queryOf({ where })
  return await call<Answer>(made, options)
}

// Returns the request for a find operation. A query that does not fit into a URL is sent as a request body, with the
// same result.
function findCall(name: string, sought: FindOptions = {}, options?: CallOptions): Call {
  const query = queryOf(sought)
  const accepts = (value: unknown) => isObject(value) && ("docs" in value || "groups" in value)
  if (fitsUrl(query)) return { method: "GET", path: segment(name) + query, accepts, options }
  return { method: "POST", path: `${segment(name)}/query`, body: bodyOf(sought), accepts, options }
}

async function count(
  { transport, name, call }: Collection,
  counted: CountOptions,
  options?: CallOptions,
): Promise<number> {
  if (fitsUrl(queryOf(counted))) {
    const accepts = (value: unknown) => isObject(value) && "count" in value
    const answer = await call<{ count: number }>({ method: "GET", path: "/count", accepts }, { ...counted, ...options })
    return answer.count
  }
  // These options do not fit into a URL, so the records are counted by a find operation, which sends them as a request
  // body.
  const { max, ...sought } = counted
  const total = max === undefined || { max }
  const found = findCall(name, { ...sought, total, columns: { id: true }, limit: 1 }, options)
  return (await transport.send<Page<RecordData>>(found)).totalDocs
}

interface CountOptions extends FindOptions {
  readonly max?: number
}

async function findOne(collection: Collection, sought: FindOptions, options?: CallOptions): Promise<RecordData | null> {
  if (sought.groupBy !== undefined) throw new TypeError("findOne returns no groups: use find.")
  const { transport, name } = collection
  const byId = readByIdOf(sought)
  const query = queryOf(byId?.options)
  if (byId && fitsUrl(query)) {
    const path = segment(name) + segment(byId.id) + query
    return recordIn(await transport.exchange({ method: "GET", path, options }), name)
  }
  const call = findCall(name, { ...sought, limit: 1, total: false }, options)
  return (await transport.send<Page<RecordData>>(call)).docs[0] ?? null
}

function recordIn(outcome: Outcome, collection: string): RecordData | null {
  // The cast is safe: the response to a successful read by id is a record.
  if ("value" in outcome) return outcome.value as RecordData
  const { error } = outcome
  // Only the API's own 404 means a missing record. A 404 for another reason, such as a wrong basePath, is thrown as an
  // error.
  if (error.status === 404 && error.context?.["collection"] === collection) return null
  throw error
}

function pathOf(id: string): string {
  if (!isPathId(id)) throw new TypeError(`${JSON.stringify(id)} is not a record id.`)
  return segment(id)
}
