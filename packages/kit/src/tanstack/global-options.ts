import type { LooseGlobal } from "./loose-client.ts"
import type { PlacedOptions, QueryKeys } from "./query-keys.ts"
import { liveOptions, type Read, readOptions } from "./resource-reads.ts"
import { GLOBAL_WRITES, writeFactories } from "./resource-writes.ts"

/** Returns the option factories of a global. `GlobalQueryOptions` has their types. */
export function globalOptions(global: LooseGlobal, keys: QueryKeys): object {
  const get = (options: PlacedOptions): Read => ({ name: "get", run: global.get, options })
  const operationOf = (name: string) =>
    // A global has no id, so this operation has no input.
    name === "cancelTransition"
      ? (_input: unknown, options?: object) => global.cancelTransition(options)
      : Reflect.get(global, name)
  return {
    get: (options = {}) => readOptions(keys, get(options)),
    live: (options = {}) => liveOptions(keys, get(options), { watched: global }),
    key: () => keys.base,
    filter: (options?: PlacedOptions) => ({ queryKey: options ? keys.of("get", options) : keys.base }),
    ...writeFactories(GLOBAL_WRITES, operationOf, keys),
  }
}
