import type { CallOptions } from "../../wire/options/call-options.ts"
import type { RecordOptions } from "../../wire/options/query-options.ts"
import { globalPath } from "../../wire/paths/paths.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import type { LaterGlobal } from "../later.ts"
import { lazyOperations } from "../lazy-operations.ts"
import { callSender, type TrailingOptions } from "../transport/call-sender.ts"
import type { Transport } from "../transport/transport.ts"

interface ClientGlobal extends LaterGlobal {
  get(read?: RecordOptions, options?: CallOptions): Promise<RecordData | null>
  update(data: RecordData, options?: TrailingOptions): Promise<RecordData>
}

export function globalOperations(transport: Transport, name: string): ClientGlobal {
  const call = callSender(transport, globalPath, name)
  const later = async () => (await import("../later.ts")).laterGlobal({ call })
  // Before its first write, a global is null.
  const accepts = (value: unknown) => typeof value === "object"
  return {
    get: (read, options) => call({ method: "GET", path: "", accepts }, { ...read, ...options }),
    update: (body, options) => call({ method: "PATCH", path: "", body }, options),
    ...lazyOperations("findVersions revertToVersion transitionStage findTransition cancelTransition", later),
  }
}
