import type { Connection, Transaction } from "../../ports/database.ts"

/** Whether a transaction is open on it; otherwise each statement is one of its own. */
export function isTransaction(connection: Connection): connection is Transaction {
  return "afterCommit" in connection
}
