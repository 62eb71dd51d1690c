import type { GlobalOperations } from "../wire/operations.ts"
import { paths } from "../wire/paths.ts"
import type { Transport } from "./transport.ts"

export function globalOperations(transport: Transport, name: string): GlobalOperations {
  const path = paths.global(name)
  return {
    get: (options) => transport.send({ method: "GET", path, options }),
    update: (data, options) => transport.send({ method: "PATCH", path, options, body: data }),
  }
}
