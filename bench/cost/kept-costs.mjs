import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

/**
 * @typedef {object} KeptCosts
 * @property {string} node        the version that they were counted on
 * @property {number} postgres    the major version of the server that has explained the statements
 * @property {import("./compare.mjs").Costs} operations
 */

const MAJOR = process.versions.node.split(".")[0]
const FILE = new URL(`./node-${MAJOR}.json`, import.meta.url)

/** The committed file of this major version of Node. */
export const KEPT_FILE = `bench/cost/node-${MAJOR}.json`

/** Returns the committed costs, or undefined if there are none of this major version. @returns {Promise<KeptCosts | undefined>} */
export async function readKept() {
  try {
    return JSON.parse(await readFile(FILE, "utf8"))
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw new Error(`${fileURLToPath(FILE)} cannot be read: git checkout restores it.`, { cause: error })
  }
}

/** @param {Omit<KeptCosts, "node">} costs */
export async function writeKept({ postgres, operations }) {
  await writeFile(FILE, `${JSON.stringify({ node: process.versions.node, postgres, operations }, null, 2)}\n`)
}
