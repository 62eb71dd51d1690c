import type { Database, QueryResult, Statement, Transaction } from "../ports/database.ts"

/** Finds the reason for an error of the database, where it is one of this process or its server as a whole. */
export type ExplainFailure = (error: unknown) => Promise<unknown>

/** A database whose errors are explained before anybody sees them. */
export function watchDatabase(database: Database, explain: ExplainFailure): Database {
  const fail = async (error: unknown): Promise<never> => {
    throw await explain(error)
  }
  return {
    query: (statement: Statement): Promise<QueryResult> => database.query(statement).catch(fail),
    // Not the statements in it: whoever explains one may need the connection that the transaction has.
    transaction: <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
      database.transaction(work).catch(fail),
    close: () => database.close(),
  }
}
