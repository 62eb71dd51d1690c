import type { QueryResult, Statement, Transaction } from "../../ports/database.ts"
import type { PostgresConnection } from "./connection.ts"
import { isTransactionAborted, transactionAborted } from "./errors.ts"
import type { StatementShapeCache } from "./statement-shape-cache.ts"

export type Work<Result> = (transaction: Transaction) => Promise<Result>
export type CommitCallback = () => void

interface CommitResult<Result> {
  readonly result: Result
  readonly callbacks: readonly CommitCallback[]
}

interface TransactionDependencies {
  readonly connection: PostgresConnection
  readonly shapes: StatementShapeCache
  /** How long a nested transaction waits for the nested transactions that were opened before it. */
  readonly nestedTimeoutMs: number
}

/** Runs `work` between BEGIN and COMMIT. Returns the result of `work`, and the callbacks to call after the commit. */
export async function runTransaction<Result>(
  setup: TransactionDependencies,
  work: Work<Result>,
): Promise<CommitResult<Result>> {
  const { connection } = setup
  const transaction = new PostgresTransaction(setup, { name: "kit" })
  const begun = begin(connection)
  try {
    const result = await work(transaction)
    await transaction.finish()
    await begun
    await commit(connection, transaction)
    return { result, callbacks: transaction.commitCallbacks }
  } catch (error) {
    transaction.end()
    await rollBack(connection)
    throw error
  } finally {
    transaction.notifyEnd()
  }
}

// Sends BEGIN. It is not awaited, so it is pipelined with the first statement. If BEGIN fails, nothing more may run on
// the connection.
function begin(connection: PostgresConnection): Promise<string> {
  const begun = connection.begin()
  begun.catch(() => connection.destroy())
  return begun
}

// Sends COMMIT. If it fails, the connection is closed, because the state of the session is unknown.
async function commit(connection: PostgresConnection, transaction: PostgresTransaction): Promise<void> {
  const tag = await connection.command("commit").catch((error) => {
    connection.destroy()
    throw error
  })
  if (tag !== "COMMIT") throw transactionAborted(transaction.failure)
}

// Sends ROLLBACK. If it fails, the connection is closed, and the caller still gets the error that caused the rollback.
async function rollBack(connection: PostgresConnection): Promise<void> {
  await connection.command("rollback").catch(() => connection.destroy())
}

interface TransactionScope {
  /**
   * The name of a nested transaction's savepoint. The outermost transaction has no savepoint, so its name serves only
   * as the prefix of savepoint names.
   */
  readonly name: string
  readonly parent?: PostgresTransaction
}

class PostgresTransaction implements Transaction {
  readonly commitCallbacks: CommitCallback[] = []
  readonly #dependencies: TransactionDependencies
  readonly #scope: TransactionScope
  #state: "open" | "finishing" | "ended" = "open"
  #failure: unknown
  #endCallbacks: (() => void)[] | undefined
  #nestedCount = 0
  /** Resolves when all nested transactions that were requested so far have ended. */
  #lastNested: Promise<void> = Promise.resolve()

  constructor(setup: TransactionDependencies, place: TransactionScope) {
    this.#dependencies = setup
    this.#scope = place
  }

  /** The first error of a statement in this transaction. It explains why the transaction was aborted. */
  get failure(): unknown {
    return this.#failure
  }

  async query(statement: Statement): Promise<QueryResult> {
    this.#assertOpen()
    try {
      const { connection, shapes } = this.#dependencies
      return await connection.run(statement, shapes.shapeOf(statement))
    } catch (error) {
      this.#failure ??= error
      throw error
    }
  }

  /** Runs a nested transaction after the earlier nested transactions have ended, because savepoints cannot overlap. */
  async transaction<Result>(work: Work<Result>): Promise<Result> {
    this.#assertOpen()
    const earlier = this.#lastNested
    let endNested = () => {}
    const turn = new Promise<void>((resolve) => {
      endNested = resolve
    })
    this.#lastNested = earlier.then(() => turn)
    try {
      await waitForEarlier(earlier, this.#dependencies.nestedTimeoutMs)
      return await this.#nest(work)
    } finally {
      endNested()
    }
  }

  afterCommit(listener: CommitCallback): void {
    this.#assertOpen()
    this.commitCallbacks.push(listener)
  }

  onEnd(listener: () => void): void {
    this.#assertNotEnded()
    this.#endCallbacks ??= []
    this.#endCallbacks.push(listener)
  }

  notifyEnd(): void {
    for (const listener of this.#endCallbacks ?? []) listener()
  }

  /** Refuses further calls on this transaction, and ends it when its nested transactions have ended. */
  async finish(): Promise<void> {
    this.#state = "finishing"
    await this.#lastNested
    this.#state = "ended"
  }

  /** Ends this transaction immediately, together with every transaction nested in it. */
  end(): void {
    this.#state = "ended"
  }

  async #nest<Result>(work: Work<Result>): Promise<Result> {
    this.#assertNotEnded()
    this.#nestedCount++
    const name = `${this.#scope.name}_${this.#nestedCount}`
    const nested = new PostgresTransaction(this.#dependencies, { name, parent: this })
    this.#setSavepoint(name)
    try {
      const result = await work(nested)
      await nested.finish()
      await this.#release(nested)
      return result
    } catch (error) {
      nested.end()
      await this.#rollBackTo(name)
      throw error
    } finally {
      nested.notifyEnd()
    }
  }

  // Sets a savepoint. The command is not awaited: if it fails, the transaction is aborted, and the next statement
  // reports that.
  #setSavepoint(name: string): void {
    this.#dependencies.connection.command(`savepoint ${name}`).catch((error) => {
      this.#failure ??= error
    })
  }

  async #release(nested: PostgresTransaction): Promise<void> {
    this.#assertNotEnded()
    await this.#dependencies.connection.command(`release savepoint ${nested.#scope.name}`).catch((error) => {
      throw isTransactionAborted(error) ? transactionAborted(nested.failure ?? this.#failure) : error
    })
    this.commitCallbacks.push(...nested.commitCallbacks)
  }

  async #rollBackTo(name: string): Promise<void> {
    if (this.#hasEnded()) return
    await this.#dependencies.connection
      .command(`rollback to savepoint ${name}; release savepoint ${name}`)
      // If rolling back to the savepoint fails, the outer transaction is aborted too, and reports that when it ends.
      .catch((error) => {
        this.#failure ??= error
      })
  }

  #assertOpen(): void {
    this.#assertNotEnded()
    if (this.#state !== "open") throw transactionEnded()
  }

  #assertNotEnded(): void {
    if (this.#hasEnded()) throw transactionEnded()
  }

  #hasEnded(): boolean {
    if (this.#state === "ended") return true
    const { parent } = this.#scope
    return parent ? parent.#hasEnded() : false
  }
}

function transactionEnded(): Error {
  return new Error("This transaction has ended. Await everything that uses it before its function returns.")
}

// Waits for the earlier nested transactions. The timeout breaks a deadlock in which one of them waits for this
// transaction.
function waitForEarlier(earlier: Promise<void>, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(nestedTimedOut(timeoutMs)), timeoutMs)
    const start = () => {
      clearTimeout(timer)
      resolve()
    }
    earlier.then(start, reject)
  })
}

function nestedTimedOut(timeoutMs: number): Error {
  return new Error(
    `A nested transaction waited ${timeoutMs} ms for another one of the same transaction. ` +
      "Inside a nested transaction use the transaction object passed to its function, not the outer one.",
  )
}
