import { requireRule } from "../../engine/access/authorize.ts"
import { inLocale, resourceIn } from "../../engine/context/locale.ts"
import { checkOptions, type UncheckedOptions } from "../../engine/context/read-options.ts"
import { countRecords } from "../../engine/operations/reads/find.ts"
import { findRecordAsJson, listRecordsAsJson } from "../../engine/operations/reads/find-as-json.ts"
import { findVersions } from "../../engine/operations/reads/find-versions.ts"
import { createRecordAsJson } from "../../engine/operations/writes/create.ts"
import { deleteRecord } from "../../engine/operations/writes/delete.ts"
import { readDryRun, writeOrDryRun } from "../../engine/operations/writes/dry-run.ts"
import { cancelPendingTransition, findPendingTransition } from "../../engine/operations/writes/pending-transition.ts"
import { purgeRecord } from "../../engine/operations/writes/purge.ts"
import { restoreRecord } from "../../engine/operations/writes/restore.ts"
import { REVERT_MEMBERS, revertRecord } from "../../engine/operations/writes/revert.ts"
import { TRANSITION_MEMBERS, transitionRecord } from "../../engine/operations/writes/transition.ts"
import { updateRecordAsJson } from "../../engine/operations/writes/update.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { isPlainObject } from "../../wire/codecs/query-string.ts"
import { ApiError, invalid } from "../../wire/errors/api-error.ts"
import { RESERVED_IDS } from "../../wire/paths/paths.ts"
import {
  checkWholeWrite,
  deleteOperation,
  readChangeBody,
  readChangeOptions,
  readUpdateOptions,
  readWholeChangeOptions,
} from "../change-options.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"
import { refuseQuery } from "../input-members.ts"

export const collectionEndpoints: readonly Endpoint[] = [
  {
    method: "GET",
    path: "/:collection",
    isWatchable: true,
    isRead: true,
    run: (call) => listRecordsAsJson(call.ctx, collectionOf(call), call.options()),
  },
  {
    method: "POST",
    path: "/:collection",
    takesBody: true,
    run: async (call) => {
      const collection = collectionOf(call)
      const given = call.options()
      checkOptions(call.ctx, "create", given)
      const isDryRun = readDryRun(given)
      requireRule(call.ctx, collection, "create")
      const record = { data: await call.body(), stage: given.options["stage"], given }
      const answer = await writeOrDryRun(call.ctx, isDryRun, (ctx) => createRecordAsJson(ctx, collection, record))
      return { ...answer, status: isDryRun ? 200 : 201 }
    },
  },
  {
    method: "POST",
    path: "/:collection/query",
    isWatchable: true,
    isRead: true,
    takesBody: true,
    run: async (call) => {
      const collection = collectionOf(call)
      requireRule(call.ctx, collection, "read")
      const given = await bodyOptions(call)
      const ctx = inLocale(call.ctx, given.options)
      return listRecordsAsJson(ctx, resourceIn(ctx, collection), given)
    },
  },
  {
    method: "GET",
    path: "/:collection/count",
    isWatchable: true,
    run: (call) => countRecords(call.ctx, collectionOf(call), call.options()),
  },
  {
    method: "GET",
    path: "/:collection/:id",
    isWatchable: true,
    isRead: true,
    run: (call) => findRecordAsJson(call.ctx, collectionOf(call), { id: idOf(call), given: call.options() }),
  },
  {
    method: "PATCH",
    path: "/:collection/:id",
    takesBody: true,
    run: async (call) => {
      const collection = collectionOf(call)
      const { expected, stage, isDryRun, given } = readUpdateOptions(call, collection)
      const id = idOf(call)
      requireRule(call.ctx, collection, "update")
      const update = { id, data: await call.body(), expected, stage, given }
      return writeOrDryRun(call.ctx, isDryRun, (ctx) => updateRecordAsJson(ctx, collection, update))
    },
  },
  {
    method: "DELETE",
    path: "/:collection/:id",
    takesBody: true,
    run: async (call) => {
      const resource = collectionOf(call)
      const options = { ...readChangeOptions(call, resource), id: idOf(call) }
      const operation = deleteOperation(resource, options.stage)
      return deleteRecord(call.ctx, resource, await readChangeBody(call, { resource, operation, options }))
    },
  },
  {
    method: "POST",
    path: "/:collection/:id/restore",
    takesBody: true,
    run: async (call) => {
      const resource = collectionOf(call)
      const options = { ...readWholeChangeOptions(call, resource), id: idOf(call) }
      const change = { resource, operation: "restore", options } as const
      return restoreRecord(call.ctx, resource, await readChangeBody(call, change))
    },
  },
  {
    method: "POST",
    path: "/:collection/:id/purge",
    takesBody: true,
    run: async (call) => {
      const resource = collectionOf(call)
      const options = { ...readWholeChangeOptions(call, resource), id: idOf(call) }
      const change = { resource, operation: "purge", options } as const
      return purgeRecord(call.ctx, resource, await readChangeBody(call, change))
    },
  },
  {
    method: "GET",
    path: "/:collection/:id/versions",
    isRead: true,
    run: (call) => findVersions(call.ctx, collectionOf(call), { id: idOf(call), given: call.options() }),
  },
  {
    method: "POST",
    path: "/:collection/:id/revert",
    takesBody: true,
    run: async (call) => {
      const resource = collectionOf(call)
      const options = { ...readChangeOptions(call, resource), id: idOf(call) }
      const change = { resource, operation: "update", options, members: REVERT_MEMBERS } as const
      return revertRecord(call.ctx, resource, await readChangeBody(call, change))
    },
  },
  {
    method: "POST",
    path: "/:collection/:id/transition",
    takesBody: true,
    run: async (call) => {
      const resource = collectionOf(call)
      const options = { ...readWholeChangeOptions(call, resource), id: idOf(call) }
      const change = { resource, operation: "transition", options, members: TRANSITION_MEMBERS } as const
      return transitionRecord(call.ctx, resource, await readChangeBody(call, change))
    },
  },
  {
    method: "GET",
    path: "/:collection/:id/transition",
    run: (call) => {
      const collection = collectionOf(call)
      checkWholeWrite(call, collection)
      return findPendingTransition(call.ctx, collection, idOf(call))
    },
  },
  {
    method: "DELETE",
    path: "/:collection/:id/transition",
    takesBody: true,
    run: async (call) => {
      const resource = collectionOf(call)
      const options = { ...readWholeChangeOptions(call, resource), id: idOf(call) }
      const change = { resource, operation: "transition", options } as const
      return cancelPendingTransition(call.ctx, resource, await readChangeBody(call, change))
    },
  },
]

export function collectionOf({ ctx, params }: EndpointCall): Resource {
  const name = params["collection"] ?? ""
  const resource = ctx.schema.collections.get(name)
  if (resource === undefined) throw new ApiError("NOT_FOUND", { message: "There is no such collection." })
  return resource
}

/**
 * Reads the options of a read from the request body instead of the query string. In a body they can have JSON types and
 * be longer than a URL.
 */
export async function bodyOptions(call: EndpointCall): Promise<UncheckedOptions> {
  refuseQuery(call)
  const body = await call.body()
  // A body in extended JSON can also be a Date, Map or Set.
  if (!isPlainObject(body)) throw invalid("", "Expected an object of options.")
  return { options: body, isText: false }
}

/**
 * Returns the id in the URL path. A word that names an operation in the place of the id, such as "count", is never an id,
 * whatever the HTTP method.
 */
export function idOf({ params }: EndpointCall): string {
  const id = params["id"] ?? ""
  if (RESERVED_IDS.has(id)) throw new ApiError("NOT_FOUND")
  return id
}
