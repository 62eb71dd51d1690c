import { client } from "./client.ts"

/** A record of any collection. Its fields are known by the description of the collection, not by the compiler. */
export interface ConsoleRecord {
  readonly id: string
  readonly [field: string]: unknown
}

// The proxy has a handle for every name, so that the index signature's `undefined` never occurs.
type Named<Handles extends object> = NonNullable<Handles[keyof Handles]>

/** Returns the operations of a collection, by its name. */
export function collectionHandle(name: string): Named<typeof client.collections> {
  return present(client.collections[name], name)
}

/** Returns the operations of a global, by its name. */
export function globalHandle(name: string): Named<typeof client.globals> {
  return present(client.globals[name], name)
}

function present<Handle>(handle: Handle | undefined, name: string): Handle {
  if (handle === undefined) throw new Error(`The client has no handle for "${name}".`)
  return handle
}
