import type { CallOptions } from "../wire/call-options.ts"
import type { RecordData } from "../wire/operations.ts"
import { globalPath } from "../wire/paths.ts"
import type { RecordOptions } from "../wire/query-options.ts"
import { changeCall, type TrailingOptions } from "./change-call.ts"
import { queryOf } from "./query.ts"
import type { Transport } from "./transport.ts"

interface ClientGlobal {
  get(read?: RecordOptions, options?: CallOptions): Promise<RecordData | null>
  update(data: RecordData, options?: TrailingOptions): Promise<RecordData>
}

export function globalOperations(transport: Transport, name: string): ClientGlobal {
  return {
    get: async (read, options) =>
      await transport.send({
        method: "GET",
        path: globalPath(name) + queryOf(read),
        options,
        accepts: isRecordOrNull,
      }),
    update: async (body, options) =>
      await transport.send(changeCall({ method: "PATCH", path: globalPath(name), body }, options)),
  }
}

// Before the first write there is none.
function isRecordOrNull(value: unknown): boolean {
  return typeof value === "object"
}
