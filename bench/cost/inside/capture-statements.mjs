const REQUESTS = 15

/**
 * Returns the statements of some operations, which the server has not carried out.
 *
 * @param {import("./count-costs.mjs").Running} running
 * @returns {Promise<import("./statement-batch.mjs").BoundStatement[][]>} of each operation
 */
export async function captureStatements({ sender, recording }) {
  /** @type {import("./statement-batch.mjs").BoundStatement[][]} */
  const found = []
  recording.captured = []
  await sender.run(REQUESTS, () => {
    found.push(recording.captured ?? [])
    recording.captured = []
  })
  recording.captured = undefined
  return found
}
