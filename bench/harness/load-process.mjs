import { openConnection } from "./connection.mjs"
import { requestBytes } from "./request-bytes.mjs"
import { findRow } from "./rows.mjs"

// The program of the load generator: it runs one batch for each message and answers with its figures.

const CONNECTIONS = 32
const BATCH_LIMIT_MS = 30_000

process.on("message", (batch) => {
  runBatch(batch).then(
    (figures) => process.send?.({ figures }),
    (error) => process.send?.({ failure: String(error.message) }),
  )
})
process.on("disconnect", () => process.exit())
// Ctrl-C reaches the whole group; the parent decides when this process ends.
process.on("SIGINT", () => {})

/** @param {import("./load-generator.mjs").Batch} batch */
async function runBatch({ row, side, port, from, count }) {
  const callAt = findRow(row)[side]
  const requests = Array.from({ length: count }, (_, index) => requestBytes(callAt(from + index)))
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)))
  try {
    return await drive(connections, requests)
  } finally {
    for (const connection of connections) connection.close()
  }
}

/**
 * Sends every request once, one at a time on each connection.
 *
 * @param {import("./connection.mjs").Connection[]} connections
 * @param {Buffer[]} requests
 * @returns {Promise<{ seconds: number, latencies: Float64Array }>}
 */
function drive(connections, requests) {
  return new Promise((resolve, reject) => {
    const latencies = new Float64Array(requests.length)
    const timer = setTimeout(() => reject(new Error(`A batch took over ${BATCH_LIMIT_MS / 1000} s.`)), BATCH_LIMIT_MS)
    let sent = 0
    let answered = 0
    const startedAt = performance.now()
    const sendNext = (connection) => {
      const request = requests[sent]
      if (request === undefined) return
      sent += 1
      connection.send(request)
    }
    const noteAnswer = (connection) => {
      const now = performance.now()
      latencies[answered] = now - connection.sentAt
      answered += 1
      if (answered < requests.length) return sendNext(connection)
      clearTimeout(timer)
      resolve({ seconds: (now - startedAt) / 1000, latencies })
    }
    for (const connection of connections) {
      connection.onAnswer = () => noteAnswer(connection)
      connection.onFailure = reject
      sendNext(connection)
    }
  })
}
