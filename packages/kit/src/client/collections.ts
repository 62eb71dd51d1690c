import type { CollectionOperations, NamedRecord, RecordData } from "../wire/operations.ts"
import { paths } from "../wire/paths.ts"
import type { FindOptions } from "../wire/query-options.ts"
import { isPathId, type ReadById, readByIdOf } from "../wire/read-by-id.ts"
import type { Page } from "../wire/results.ts"
import { bodyOf, fitsQuery } from "./query.ts"
import type { Call, Transport } from "./transport.ts"
import { whereForQuery } from "./where-for-query.ts"

type CountOptions = NonNullable<Parameters<CollectionOperations["count"]>[0]>

export interface ClientOperations extends CollectionOperations {
  update: CollectionOperations["updateById"]
  delete: CollectionOperations["deleteById"]
  restore: CollectionOperations["restoreById"]
}

export function collectionOperations(transport: Transport, name: string): ClientOperations {
  const updateById: CollectionOperations["updateById"] = async ({ id, data, expectedRevision }, options) =>
    await transport.send({
      method: "PATCH",
      path: recordPath(name, id),
      options: { ...options, expectedRevision },
      body: data,
    })
  const deleteById: CollectionOperations["deleteById"] = async ({ id, expectedRevision }, options) =>
    await transport.send({
      method: "DELETE",
      path: recordPath(name, id),
      options: { ...options, expectedRevision },
    })
  const act = async <Answer>(action: "restore" | "purge", { id, expectedRevision }: NamedRecord, options?: object) => {
    const path = actionPath(name, id, action)
    return await transport.send<Answer>({ method: "POST", path, options: { ...options, expectedRevision } })
  }
  const restoreById: CollectionOperations["restoreById"] = (target, options) => act("restore", target, options)
  return {
    find: async (options) => await transport.send(findCall(name, options)),
    findOne: (options) => findOne(transport, name, options ?? {}),
    count: (options) => count(transport, name, options),
    create: (data, options) => transport.send({ method: "POST", path: paths.collection(name), options, body: data }),
    updateById,
    update: updateById,
    deleteById,
    delete: deleteById,
    restoreById,
    restore: restoreById,
    purgeById: (target, options) => act("purge", target, options),
    updateMany: async (change, options) => {
      checkFilter(change.where)
      return await transport.send({ method: "PATCH", path: paths.collection(name), options, body: change })
    },
    updateBatch: (batch, options) =>
      transport.send({ method: "POST", path: paths.updateBatch(name), options, body: batch }),
    deleteMany: async (target, options) => {
      checkFilter(target.where)
      return await transport.send({ method: "POST", path: paths.deleteMany(name), options, body: target })
    },
  }
}

// What a URL cannot hold is asked with a body; the answer is the same.
function findCall(name: string, options: FindOptions | undefined): Call {
  if (options === undefined || fitsQuery(options)) return { method: "GET", path: paths.collection(name), options }
  return { method: "POST", path: paths.query(name), body: bodyOf(options) }
}

async function count(transport: Transport, name: string, options: CountOptions | undefined): Promise<number> {
  if (fitsQuery(options)) {
    const answer = await transport.send<{ count: number }>({ method: "GET", path: paths.count(name), options })
    return answer.count
  }
  const page = await transport.send<Page>(findCall(name, { ...options, columns: { id: true }, limit: 1 }))
  return page.totalDocs
}

async function findOne(transport: Transport, name: string, options: FindOptions): Promise<RecordData | null> {
  if (options.groupBy !== undefined) throw new TypeError("findOne answers a record, not groups: use find with groupBy.")
  const byId = readByIdOf(options)
  if (byId && fitsQuery(byId.options)) return findById(transport, name, byId)
  const page = await transport.send<Page<RecordData>>(findCall(name, { ...options, limit: 1, total: false }))
  return page.docs[0] ?? null
}

async function findById(transport: Transport, name: string, { id, options }: ReadById): Promise<RecordData | null> {
  const outcome = await transport.exchange({ method: "GET", path: paths.record(name, id), options })
  // A read by id answers a record.
  if ("value" in outcome) return outcome.value as RecordData
  const { error } = outcome
  // A 404 about anything else, such as a wrong basePath, must not look like a missing record.
  if (error.status === 404 && error.context?.["collection"] === name) return null
  throw error
}

function recordPath(name: string, id: string): string {
  checkId(id)
  return paths.record(name, id)
}

function actionPath(name: string, id: string, action: "restore" | "purge"): string {
  checkId(id)
  return paths.recordAction(name, id, action)
}

// A condition that is undefined would not be written, and the filter would match too much.
function checkFilter(where: object | undefined): void {
  if (where !== undefined) whereForQuery(where, "where")
}

function checkId(id: string): void {
  if (isPathId(id)) return
  throw new TypeError(`${JSON.stringify(id)} is not the id of a record.`)
}
