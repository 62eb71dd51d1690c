import type { Connection } from "../../ports/database.ts"

/** Wraps the connection: `onText` is called with the SQL text of each statement before it runs. */
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
