import { requireRule } from "../../engine/access/authorize.ts"
import { readGlobal } from "../../engine/operations/reads/find.ts"
import { findGlobalVersions } from "../../engine/operations/reads/find-versions.ts"
import { writeOrDryRun } from "../../engine/operations/writes/dry-run.ts"
import { cancelPendingTransition, findPendingTransition } from "../../engine/operations/writes/pending-transition.ts"
import { REVERT_MEMBERS, revertGlobal } from "../../engine/operations/writes/revert.ts"
import { TRANSITION_MEMBERS, transitionRecord } from "../../engine/operations/writes/transition.ts"
import { updateGlobal } from "../../engine/operations/writes/update-global.ts"
import { GLOBAL_ROW_ID, type Resource } from "../../schema/compile/resource.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import {
  checkWholeWrite,
  readChangeBody,
  readChangeOptions,
  readUpdateOptions,
  readWholeChangeOptions,
} from "../change-options.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"

export const globalEndpoints: readonly Endpoint[] = [
  {
    method: "GET",
    path: "/globals/:name",
    isWatchable: true,
    isRead: true,
    run: (call) => readGlobal(call.ctx, globalOf(call), call.options()),
  },
  {
    method: "PATCH",
    path: "/globals/:name",
    takesBody: true,
    run: async (call) => {
      const resource = globalOf(call)
      const { isDryRun, ...options } = readUpdateOptions(call, resource)
      requireRule(call.ctx, resource, "update")
      const update = { ...options, data: await call.body() }
      return writeOrDryRun(call.ctx, isDryRun, (ctx) => updateGlobal(ctx, resource, update))
    },
  },
  {
    method: "GET",
    path: "/globals/:name/versions",
    isRead: true,
    run: (call) => findGlobalVersions(call.ctx, globalOf(call), call.options()),
  },
  {
    method: "POST",
    path: "/globals/:name/revert",
    takesBody: true,
    run: async (call) => {
      const resource = globalOf(call)
      const options = readChangeOptions(call, resource)
      const change = { resource, operation: "update", options, members: [...REVERT_MEMBERS, "id"] } as const
      return revertGlobal(call.ctx, resource, await readChangeBody(call, change))
    },
  },
  {
    method: "POST",
    path: "/globals/:name/transition",
    takesBody: true,
    run: async (call) => {
      const resource = globalOf(call)
      const options = { ...readWholeChangeOptions(call, resource), id: GLOBAL_ROW_ID }
      const change = { resource, operation: "transition", options, members: TRANSITION_MEMBERS } as const
      return transitionRecord(call.ctx, resource, await readChangeBody(call, change))
    },
  },
  {
    method: "GET",
    path: "/globals/:name/transition",
    run: (call) => {
      const resource = globalOf(call)
      checkWholeWrite(call, resource)
      return findPendingTransition(call.ctx, resource, GLOBAL_ROW_ID)
    },
  },
  {
    method: "DELETE",
    path: "/globals/:name/transition",
    takesBody: true,
    run: async (call) => {
      const resource = globalOf(call)
      const options = { ...readWholeChangeOptions(call, resource), id: GLOBAL_ROW_ID }
      const change = { resource, operation: "transition", options } as const
      return cancelPendingTransition(call.ctx, resource, await readChangeBody(call, change))
    },
  },
]

export function globalOf({ ctx, params }: EndpointCall): Resource {
  const name = params["name"] ?? ""
  const resource = ctx.schema.globals.get(name)
  if (resource === undefined) throw new ApiError("NOT_FOUND", { message: "There is no such global." })
  return resource
}
