import type { Connection } from "../../ports/database.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { resourcesRead } from "./resources-read.ts"

/**
 * Returns a wrapper of the connection that calls `onRead` before a statement runs, with the key of each resource that
 * the statement reads.
 */
export function observeReads(
  connection: Connection,
  schema: AppSchema,
  onRead: (resource: string) => void,
): Connection {
  return {
    query: (statement) => {
      for (const resource of resourcesRead(schema, statement)) onRead(resource)
      return connection.query(statement)
    },
    transaction: (work) =>
      connection.transaction((inner) =>
        work({
          ...observeReads(inner, schema, onRead),
          afterCommit: (listener) => inner.afterCommit(listener),
          onEnd: (listener) => inner.onEnd(listener),
        }),
      ),
  }
}
