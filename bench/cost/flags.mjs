import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { UsageError } from "../harness/flags.mjs"
import { OPERATIONS } from "./operations.mjs"

/**
 * @typedef {object} CostPlan
 * @property {readonly import("./operations.mjs").Operation[]} operations
 * @property {boolean} isListed  true if it is listed where the promises are made, instead of what all costs
 * @property {boolean} isWritten true if the result becomes the committed file
 * @property {string} root       the checkout whose framework is measured
 */

export const USAGE = `npm run cost -- [flags]
  --only get,create  these operations only: ${OPERATIONS.map(({ name }) => name).join(", ")}
  --promises         list where the promises of each operation are made, instead
  --write            make the result the committed one of this major version of Node
  --root ../other    measure the framework of another checkout, which is built and installed`

const OPTIONS = /** @type {const} */ ({
  only: { type: "string" },
  promises: { type: "boolean" },
  write: { type: "boolean" },
  root: { type: "string" },
})
const OWN_ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)))

/** @param {string[]} args @returns {CostPlan} */
export function readFlags(args) {
  const { only, promises = false, write = false, root } = parse(args)
  if (write && (only !== undefined || promises || root !== undefined))
    throw new UsageError("--write goes with no other flag: the file holds all operations of this checkout.")
  if (write && process.env["DATABASE_URL"])
    throw new UsageError("--write needs the embedded database: run it without DATABASE_URL.")
  return {
    operations: chosen(only),
    isListed: promises,
    isWritten: write,
    root: root === undefined ? OWN_ROOT : resolve(root),
  }
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({ args, options: OPTIONS }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** @param {string | undefined} only */
function chosen(only) {
  if (only === undefined) return OPERATIONS
  const names = only.split(",").map((name) => name.trim())
  const unknown = names.filter((name) => !OPERATIONS.some((operation) => operation.name === name))
  if (unknown.length > 0) throw new UsageError(`--only: there is no operation "${unknown.join('", "')}".`)
  return OPERATIONS.filter(({ name }) => names.includes(name))
}
