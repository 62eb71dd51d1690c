import type { CallOptions } from "../wire/options/call-options.ts"
import type { FindOptions } from "../wire/options/query-options.ts"
import type { GlobalOperations, NamedRecord, RecordData, WaitingMove } from "../wire/results/operations.ts"
import type { Page } from "../wire/results/results.ts"
import type { FileUploads } from "../wire/results/uploads.ts"
import type { ClientOperation } from "./resources/operation.ts"
import { fileUploads } from "./resources/upload.ts"
import type { Call } from "./transport/call.ts"
import type { TrailingOptions } from "./transport/call-sender.ts"
import type { Transport } from "./transport/transport.ts"

/** What a collection can do that few pages need at once. This module is loaded with the first of it. */
export interface LaterOperations extends FileUploads<RecordData, RecordData> {
  readonly count: ClientOperation<"count">
  readonly updateMany: ClientOperation<"updateMany">
  readonly updateBatch: ClientOperation<"updateBatch">
  readonly deleteMany: ClientOperation<"deleteMany">
  readonly restoreById: ClientOperation<"restoreById">
  readonly restore: ClientOperation<"restoreById">
  readonly purgeById: ClientOperation<"purgeById">
  readonly findVersions: ClientOperation<"findVersions">
  readonly revertToVersion: ClientOperation<"revertToVersion">
  readonly transitionStage: ClientOperation<"transitionStage">
  readonly findTransition: ClientOperation<"findTransition">
  readonly cancelTransition: ClientOperation<"cancelTransition">
}

/**
 * A collection, and how the client calls it. Its code is given, not imported: sharing it would make this module and the
 * client one more to load.
 */
interface Collection {
  readonly transport: Transport
  readonly name: string
  call<Answer>(call: Call, options?: TrailingOptions): Promise<Answer>
  /** As `call`, below one of its records. */
  callOne<Answer>(call: Call, target: NamedRecord, options?: TrailingOptions): Promise<Answer>
  readonly find: ClientOperation<"find">
  /** Whether a URL can hold the options; refuses a filter of which a part would get lost. */
  fits(options: object): boolean
}

export function laterOperations(collection: Collection): LaterOperations {
  const { call, callOne } = collection
  const callMany = async <Answer>(many: Call & { body: Filtered }, options?: TrailingOptions) => {
    const { where } = many.body
    // A condition that is undefined would not be written, and the filter would match too much.
    collection.fits({ where })
    return await call<Answer>(many, options)
  }
  const restoreById: ClientOperation<"restoreById"> = (target, options) =>
    callOne({ method: "POST", path: "/restore" }, target, options)
  return {
    ...fileUploads(collection),
    count: (counted, options) => count(collection, counted, options),
    updateMany: (body, options) => callMany({ method: "PATCH", path: "", body }, options),
    updateBatch: (body, options) => call({ method: "POST", path: "/update-batch", body }, options),
    deleteMany: (body, options) => callMany({ method: "POST", path: "/delete-many", body }, options),
    restoreById,
    restore: restoreById,
    purgeById: (target, options) => callOne({ method: "POST", path: "/purge" }, target, options),
    findVersions: ({ id, ...window }, options) =>
      callOne({ method: "GET", path: "/versions" }, { id }, { ...window, ...options }),
    revertToVersion: ({ id, expectedRevision, ...body }, options) =>
      callOne({ method: "POST", path: "/revert", body }, { id, expectedRevision }, options),
    transitionStage: ({ id, expectedRevision, ...move }, options) =>
      callOne({ method: "POST", path: "/transition", body: moveBody(move) }, { id, expectedRevision }, options),
    findTransition: (target, options) => callOne(FIND_TRANSITION, target, options),
    cancelTransition: (target, options) => callOne(CANCEL_TRANSITION, target, options),
  }
}

// Null where no move waits.
const FIND_TRANSITION: Call = { method: "GET", path: "/transition", accepts: (value) => typeof value === "object" }
const CANCEL_TRANSITION: Call = { method: "DELETE", path: "/transition" }

// What a URL cannot hold is counted by a find, which can be asked with a body.
async function count(
  { call, find, fits }: Collection,
  counted: FindOptions = {},
  options?: CallOptions,
): Promise<number> {
  // A find without groups answers a page.
  if (!fits(counted)) return ((await find({ ...counted, columns: { id: true }, limit: 1 }, options)) as Page).totalDocs
  const accepts = (value: unknown) => typeof value === "object" && value !== null && "count" in value
  const answer = await call<{ count: number }>({ method: "GET", path: "/count", accepts }, { ...counted, ...options })
  return answer.count
}

// A moment is text on the wire, also where the rest is extended JSON.
function moveBody(move: Parameters<GlobalOperations["transitionStage"]>[0]): object {
  const { scheduledAt } = move
  return scheduledAt instanceof Date ? { ...move, scheduledAt: scheduledAt.toISOString() } : move
}

interface Filtered {
  readonly where?: object | undefined
}

/** As `LaterOperations`, of a global. */
export interface LaterGlobal {
  findVersions(
    read?: Parameters<GlobalOperations["findVersions"]>[0],
    options?: TrailingOptions,
  ): Promise<readonly RecordData[]>
  revertToVersion(
    version: Parameters<GlobalOperations["revertToVersion"]>[0],
    options?: TrailingOptions,
  ): Promise<RecordData>
  transitionStage(
    target: Parameters<GlobalOperations["transitionStage"]>[0],
    options?: TrailingOptions,
  ): Promise<RecordData>
  findTransition(options?: TrailingOptions): Promise<WaitingMove | null>
  cancelTransition(options?: TrailingOptions): Promise<WaitingMove>
}

interface Global {
  call<Answer>(call: Call, options?: TrailingOptions): Promise<Answer>
}

export function laterGlobal({ call }: Global): LaterGlobal {
  return {
    findVersions: (read, options) => call({ method: "GET", path: "/versions" }, { ...read, ...options }),
    revertToVersion: (body, options) => call({ method: "POST", path: "/revert", body }, options),
    transitionStage: (move, options) => call({ method: "POST", path: "/transition", body: moveBody(move) }, options),
    findTransition: (options) => call(FIND_TRANSITION, options),
    cancelTransition: (options) => call(CANCEL_TRANSITION, options),
  }
}
