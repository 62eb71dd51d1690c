import { withClient } from "../harness/databases.mjs"
import { median } from "../harness/statistics.mjs"

/**
 * @typedef {import("./inside/statement-batch.mjs").BoundStatement} BoundStatement
 * @typedef {{ rows: number, walBytes?: number }} StatementCosts the rows that the statements of an operation look at
 *   and write, and the bytes that the server logs for them; unknown if it logs whole pages at times
 * @typedef {{ [name: string]: any, Plans?: PlanNode[] }} PlanNode as PostgreSQL describes it in JSON
 */

const DISCARDED = ["Rows Removed by Filter", "Rows Removed by Index Recheck"]
const WRITING = ["ModifyTable", "LockRows"]
// These parts of a plan run when another part asks for their rows.
const RUN_ELSEWHERE = ["InitPlan", "SubPlan"]

/**
 * Has the server explain the statements of some operations, as it carries them out; nothing of it remains. Returns the
 * median, because now and then a page of an index is split.
 *
 * @param {string} url
 * @param {BoundStatement[][]} operations
 * @returns {Promise<StatementCosts>}
 */
export async function explainStatements(url, operations) {
  /** @type {{ rows: number, walBytes: number }[]} */
  const costs = []
  let isWalExact = false
  await withClient(url, async (client) => {
    const { rows } = await client.query("show full_page_writes")
    isWalExact = rows[0].full_page_writes === "off"
    for (const statements of ownStatements(operations)) costs.push(await explainAll(client, statements))
  })
  const walBytes = median(costs.map((cost) => cost.walBytes))
  return { rows: median(costs.map((cost) => cost.rows)), ...(isWalExact && { walBytes }) }
}

/** Leaves out what the process has asked at a moment of its own. @param {BoundStatement[][]} operations */
function ownStatements(operations) {
  const isOwn = (/** @type {BoundStatement} */ { text }) =>
    operations.filter((statements) => statements.some((other) => other.text === text)).length > operations.length / 2
  return operations.map((statements) => statements.filter(isOwn))
}

/** @param {import("pg").Client} client @param {BoundStatement[]} statements */
async function explainAll(client, statements) {
  let [rows, walBytes] = [0, 0]
  await client.query("begin")
  for (const { text, values } of statements) {
    const given = values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value))
    const explained = await client.query(`explain (analyze, wal, timing off, format json) ${text}`, given)
    const plan = explained.rows[0]["QUERY PLAN"][0].Plan
    rows += rowsOf(plan)
    walBytes += walBytesOf(plan)
  }
  await client.query("rollback")
  return { rows, walBytes }
}

/** Counts the rows that a plan reads from tables, those it discards included, and writes to them. @param {PlanNode} node @returns {number} */
function rowsOf(node) {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)
  if (node["Node Type"] === "ModifyTable")
    return below + inputsOf(node).reduce((sum, child) => sum + rowsFrom(child), 0)
  if (node["Relation Name"] === undefined) return below
  const discarded = DISCARDED.reduce((sum, name) => sum + (node[name] ?? 0), 0)
  return below + rowsFrom(node) + discarded * node["Actual Loops"]
}

/** @param {PlanNode} node @returns {number} */
function walBytesOf(node) {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + walBytesOf(child), 0)
  if (!WRITING.includes(node["Node Type"])) return below
  // The figure of a node includes what its inputs have logged.
  const ofInputs = inputsOf(node).reduce((sum, child) => sum + child["WAL Bytes"], 0)
  return below + node["WAL Bytes"] - ofInputs
}

/** @param {PlanNode} node */
function inputsOf(node) {
  return (node.Plans ?? []).filter((child) => !RUN_ELSEWHERE.includes(child["Parent Relationship"]))
}

/** @param {PlanNode} node @returns {number} */
function rowsFrom(node) {
  return node["Actual Rows"] * node["Actual Loops"]
}
