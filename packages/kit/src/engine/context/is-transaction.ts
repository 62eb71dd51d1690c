import type { Connection, Transaction } from "../../ports/database.ts"

/** True if a transaction is open on the connection. If not, each statement is a transaction of its own. */
export function isTransaction(connection: Connection): connection is Transaction {
  return "afterCommit" in connection
}
