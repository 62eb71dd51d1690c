import type { CallOptions } from "../../wire/options/call-options.ts"
import type { RecordOptions } from "../../wire/options/query-options.ts"
import { globalPath } from "../../wire/paths/paths.ts"
import type { GlobalMeta, GlobalSchema, RecordAccess } from "../../wire/results/introspection.ts"
import type { GlobalOperations, PendingTransition, RecordData } from "../../wire/results/operations.ts"
import { callSender, type TrailingOptions } from "../transport/call-sender.ts"
import type { Transport } from "../transport/transport.ts"
import { CANCEL_TRANSITION, FIND_TRANSITION, transitionCall } from "./transitions.ts"

type Input<Name extends keyof GlobalOperations> = Parameters<GlobalOperations[Name]>[0]

interface ClientGlobal {
  get(read?: RecordOptions, options?: CallOptions): Promise<RecordData | null>
  update(data: RecordData, options?: TrailingOptions): Promise<RecordData>
  findVersions(read?: Input<"findVersions">, options?: TrailingOptions): Promise<readonly RecordData[]>
  revertToVersion(version: Input<"revertToVersion">, options?: TrailingOptions): Promise<RecordData>
  transitionStage(target: Input<"transitionStage">, options?: TrailingOptions): Promise<RecordData>
  findTransition(options?: TrailingOptions): Promise<PendingTransition | null>
  cancelTransition(options?: TrailingOptions): Promise<PendingTransition>
  meta(read?: Input<"meta">, options?: CallOptions): Promise<GlobalMeta>
  schema(read?: Input<"schema">, options?: CallOptions): Promise<GlobalSchema>
  access(read?: Input<"access">, options?: CallOptions): Promise<RecordAccess>
}

export function globalOperations(transport: Transport, name: string): ClientGlobal {
  const call = callSender(transport, globalPath, name)
  // The response may be null, because a global has no record before its first write.
  const accepts = (value: unknown) => typeof value === "object"
  return {
    get: (read, options) => call({ method: "GET", path: "", accepts }, { ...read, ...options }),
    update: (body, options) => call({ method: "PATCH", path: "", body }, options),
    findVersions: (read, options) => call({ method: "GET", path: "/versions" }, { ...read, ...options }),
    revertToVersion: (body, options) => call({ method: "POST", path: "/revert", body }, options),
    transitionStage: (transition, options) => call(transitionCall(transition), options),
    findTransition: (options) => call(FIND_TRANSITION, options),
    cancelTransition: (options) => call(CANCEL_TRANSITION, options),
    meta: (options, limits) => call({ method: "GET", path: "/meta" }, { ...options, ...limits }),
    schema: (options, limits) => call({ method: "GET", path: "/schema" }, { ...options, ...limits }),
    access: (options, limits) => call({ method: "GET", path: "/access" }, { ...options, ...limits }),
  }
}
