import type { CallOptions } from "../wire/call-options.ts"
import { isObject } from "../wire/is-object.ts"
import type { CollectionOperations, NamedRecord, RecordData } from "../wire/operations.ts"
import { segment } from "../wire/paths.ts"
import type { FindOptions } from "../wire/query-options.ts"
import { isPathId, readByIdOf } from "../wire/read-by-id.ts"
import type { Page } from "../wire/results.ts"
import type { FileUploads } from "../wire/uploads.ts"
import type { Call, Outcome } from "./call.ts"
import { changeCall, type TrailingOptions } from "./change-call.ts"
import { bodyOf, fitsUrl, queryOf } from "./query.ts"
import type { Transport } from "./transport.ts"
import { whereForQuery } from "./where-for-query.ts"

/** What an operation takes and answers, with the last argument that it has in a client. */
type ClientOperation<Name extends keyof CollectionOperations> = (
  input: Parameters<CollectionOperations[Name]>[0],
  options?: TrailingOptions,
) => ReturnType<CollectionOperations[Name]>

type ClientOperations = { readonly [Name in keyof CollectionOperations]: ClientOperation<Name> } & {
  readonly update: ClientOperation<"updateById">
  readonly delete: ClientOperation<"deleteById">
  readonly restore: ClientOperation<"restoreById">
} & FileUploads<RecordData, RecordData>

interface Filtered {
  readonly where?: object | undefined
}

interface Collection {
  readonly transport: Transport
  readonly name: string
}

export function collectionOperations(transport: Transport, name: string): ClientOperations {
  const collection = { transport, name }
  // The paths of changes start at the collection.
  const change = async <Answer>(call: Call, options?: TrailingOptions) =>
    await transport.send<Answer>(changeCall({ ...call, path: segment(name) + call.path }, options))
  const changeOne = async <Answer>(call: Call, target: NamedRecord, options?: TrailingOptions) =>
    await change<Answer>(
      { ...call, path: pathOf(target.id) + call.path },
      { ...options, expectedRevision: target.expectedRevision },
    )
  const changeMany = async <Answer>(call: Call & { body: Filtered }, options?: TrailingOptions) => {
    checkFilter(call.body.where)
    return await change<Answer>(call, options)
  }
  const files = async () => (await import("./upload.ts")).fileUploads(collection)
  const updateById: ClientOperation<"updateById"> = (target, options) =>
    changeOne({ method: "PATCH", path: "", body: target.data }, target, options)
  const deleteById: ClientOperation<"deleteById"> = (target, options) =>
    changeOne({ method: "DELETE", path: "" }, target, options)
  const restoreById: ClientOperation<"restoreById"> = (target, options) =>
    changeOne({ method: "POST", path: "/restore" }, target, options)
  return {
    find: async (options, limits) => await transport.send(findCall(name, options, limits)),
    findOne: (options, limits) => findOne(collection, options ?? {}, limits),
    count: (options, limits) => count(collection, options, limits),
    create: (body, options) => change({ method: "POST", path: "", body }, options),
    updateById,
    update: updateById,
    deleteById,
    delete: deleteById,
    restoreById,
    restore: restoreById,
    purgeById: (target, options) => changeOne({ method: "POST", path: "/purge" }, target, options),
    updateMany: (body, options) => changeMany({ method: "PATCH", path: "", body }, options),
    updateBatch: (body, options) => change({ method: "POST", path: "/update-batch", body }, options),
    deleteMany: (body, options) => changeMany({ method: "POST", path: "/delete-many", body }, options),
    upload: async (file, options) => (await files()).upload(file, options),
    uploadMany: async (list, options) => (await files()).uploadMany(list, options),
  }
}

// What a URL cannot hold is asked with a body; the answer is the same.
function findCall(name: string, sought: FindOptions = {}, options?: CallOptions): Call {
  const query = queryOf(sought)
  const accepts = (value: unknown) => isObject(value) && ("docs" in value || "groups" in value)
  if (fitsUrl(query)) return { method: "GET", path: segment(name) + query, accepts, options }
  return { method: "POST", path: `${segment(name)}/query`, body: bodyOf(sought), accepts, options }
}

async function count(
  { transport, name }: Collection,
  counted: FindOptions = {},
  options?: CallOptions,
): Promise<number> {
  const query = queryOf(counted)
  if (!fitsUrl(query)) {
    const call = findCall(name, { ...counted, columns: { id: true }, limit: 1 }, options)
    return (await transport.send<Page>(call)).totalDocs
  }
  const accepts = (value: unknown) => isObject(value) && "count" in value
  const path = `${segment(name)}/count${query}`
  return (await transport.send<{ count: number }>({ method: "GET", path, accepts, options })).count
}

async function findOne(collection: Collection, sought: FindOptions, options?: CallOptions): Promise<RecordData | null> {
  if (sought.groupBy !== undefined) throw new TypeError("findOne answers no groups: use find with groupBy.")
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
  // A read by id answers a record.
  if ("value" in outcome) return outcome.value as RecordData
  const { error } = outcome
  // A 404 about anything else, such as a wrong basePath, must not look like a missing record.
  if (error.status === 404 && error.context?.["collection"] === collection) return null
  throw error
}

function pathOf(id: string): string {
  if (!isPathId(id)) throw new TypeError(`${JSON.stringify(id)} is not the id of a record.`)
  return segment(id)
}

// A condition that is undefined would not be written, and the filter would match too much.
function checkFilter(where: object | undefined): void {
  if (where !== undefined) whereForQuery(where, "where")
}
