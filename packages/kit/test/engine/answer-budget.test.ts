import { expect, test } from "vitest"
import { AnswerBudget, AnswerBudgets } from "../../src/engine/context/answer-budget.ts"
import type { Connection, QueryResult, Statement } from "../../src/ports/database.ts"

const MB = 1024 * 1024
const STATEMENT: Statement = { text: "select", values: [] }
const RESULT: QueryResult = { rows: [], rowCount: 0, columns: [] }

/** A connection that receives the bytes of a result in these steps. `afterFirst` runs between the first and the others. */
function connectionReceiving(steps: readonly number[], afterFirst: () => Promise<void>): Connection {
  const query = async ({ checkBytes }: Statement) => {
    for (const [index, bytes] of steps.entries()) {
      const refusal = checkBytes?.(bytes)
      if (refusal) throw refusal
      if (index === 0) await afterFirst()
    }
    return RESULT
  }
  // A budget calls nothing else of a connection.
  return { query } as unknown as Connection
}

test("reads that have begun do not wait for the memory of each other", async () => {
  const budgets = new AnswerBudgets(10 * MB)
  let begun = 0
  let start = () => {}
  const allBegun = new Promise<void>((resolve) => {
    start = resolve
  })
  const connection = connectionReceiving([4 * MB, 9 * MB], () => {
    begun += 1
    if (begun === 3) start()
    return allBegun
  })
  const read = async () => {
    const budget = new AnswerBudget(budgets, { key: "ann", hasLeft: false })
    const result = await budget.read(connection, STATEMENT)
    budget.release()
    return result
  }

  // Each reserves 4 MB, and none of them gets the 10 MB that it needs while the others have theirs.
  const results = await Promise.all([read(), read(), read()])

  expect(results).toEqual([RESULT, RESULT, RESULT])
})
