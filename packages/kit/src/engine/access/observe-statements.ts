import type { Connection } from "../../ports/database.ts"

/**
 * Returns a wrapper of the connection that calls `onText` with the SQL text of each statement before the statement
 * runs.
 */
export function observeStatements(connection: Connection, onText: (text: string) => void): Connection {
  return {
    query: (statement) => {
      onText(statement.text)
      return connection.query(statement)
    },
    transaction: (work) =>
      connection.transaction((inner) =>
        work({
          ...observeStatements(inner, onText),
          afterCommit: (listener) => inner.afterCommit(listener),
          onEnd: (listener) => inner.onEnd(listener),
        }),
      ),
  }
}
