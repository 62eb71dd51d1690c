import { writeFile } from "node:fs/promises"
import { metaOf } from "../harness/report.mjs"

/**
 * Writes `bench/results/<name>.json`.
 *
 * @param {string} name
 * @param {{ rounds: number } & Record<string, unknown>} content
 */
export async function writeResults(name, { rounds, ...figures }) {
  const file = new URL(`../results/${name}.json`, import.meta.url)
  await writeFile(file, `${JSON.stringify({ meta: metaOf({ rounds }), ...figures }, null, 2)}\n`)
}
