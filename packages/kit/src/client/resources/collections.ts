import { isObject } from "../../wire/codecs/is-object.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import type { FindOptions } from "../../wire/options/query-options.ts"
import { isPathId, readByIdOf } from "../../wire/options/read-by-id.ts"
import { segment } from "../../wire/paths/paths.ts"
import type { CollectionOperations, NamedRecord, RecordData } from "../../wire/results/operations.ts"
import type { Page } from "../../wire/results/results.ts"
import type { LaterOperations } from "../later.ts"
import { lazyOperations } from "../lazy-operations.ts"
import type { Call, Outcome } from "../transport/call.ts"
import { callSender, type SendCall, type TrailingOptions } from "../transport/call-sender.ts"
import type { Transport } from "../transport/transport.ts"
import type { ClientOperation } from "./operation.ts"
import { bodyOf, fitsUrl, queryOf } from "./query.ts"

type ClientOperations = LaterOperations & {
  readonly [Name in Exclude<keyof CollectionOperations, keyof LaterOperations>]: ClientOperation<Name>
} & {
  readonly update: ClientOperation<"updateById">
  readonly delete: ClientOperation<"deleteById">
}

const LAZY_NAMES =
  "count updateMany updateBatch deleteMany restore restoreById purgeById upload uploadMany findVersions revertToVersion transitionStage findTransition cancelTransition"

interface Collection {
  readonly transport: Transport
  readonly name: string
  readonly call: SendCall
}

export function collectionOperations(transport: Transport, name: string): ClientOperations {
  const call = callSender(transport, segment, name)
  const collection = { transport, name, call }
  const callOne = async <Answer>(made: Call, target: NamedRecord, options?: TrailingOptions) =>
    await call<Answer>(
      { ...made, path: pathOf(target.id) + made.path },
      { ...options, expectedRevision: target.expectedRevision },
    )
  const find: ClientOperation<"find"> = async (options, limits) => await transport.send(findCall(name, options, limits))
  const fits = (options: object) => fitsUrl(queryOf(options))
  const later = async () => (await import("../later.ts")).laterOperations({ ...collection, callOne, find, fits })
  const updateById: ClientOperation<"updateById"> = (target, options) =>
    callOne({ method: "PATCH", path: "", body: target.data }, target, options)
  const deleteById: ClientOperation<"deleteById"> = (target, options) =>
    callOne({ method: "DELETE", path: "" }, target, options)
  return {
    find,
    findOne: (options, limits) => findOne(collection, options ?? {}, limits),
    create: (body, options) => call({ method: "POST", path: "", body }, options),
    updateById,
    update: updateById,
    deleteById,
    delete: deleteById,
    ...lazyOperations(LAZY_NAMES, later),
  }
}

// A query that does not fit into a URL is sent as a body; the answer is the same.
function findCall(name: string, sought: FindOptions = {}, options?: CallOptions): Call {
  const query = queryOf(sought)
  const accepts = (value: unknown) => isObject(value) && ("docs" in value || "groups" in value)
  if (fitsUrl(query)) return { method: "GET", path: segment(name) + query, accepts, options }
  return { method: "POST", path: `${segment(name)}/query`, body: bodyOf(sought), accepts, options }
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
  // A read by id returns a record.
  if ("value" in outcome) return outcome.value as RecordData
  const { error } = outcome
  // A 404 for another reason, such as a wrong basePath, must not look like a missing record.
  if (error.status === 404 && error.context?.["collection"] === collection) return null
  throw error
}

function pathOf(id: string): string {
  if (!isPathId(id)) throw new TypeError(`${JSON.stringify(id)} is not a record id.`)
  return segment(id)
}
