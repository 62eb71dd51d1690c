import { captureStatements } from "./capture-statements.mjs"
import { countCosts } from "./count-costs.mjs"
import { listSites } from "./promise-sites.mjs"
import { RequestSender } from "./request-sender.mjs"
import { Subscriber } from "./subscriber.mjs"

/**
 * @typedef {{ server: import("node:http").Server, recording: import("./recorded-socket.mjs").Recording }} Measured
 * @typedef {{ wanted: "costs" | "sites", requests: Uint8Array[], subscription?: Uint8Array }} Order
 */

// The others are sent for the first time when nothing reaches the server any more.
const RECORDED_REQUESTS = 20
const WORK = { costs: measureCosts, sites: listSites }

/**
 * Carries out an order, and sends what was found to the process that has given it.
 *
 * @param {Measured} measured
 * @param {Order} order
 */
export async function obey(measured, order) {
  try {
    process.send?.({ result: await WORK[order.wanted](await prepare(measured, order)) })
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.stack : String(error) })
  }
}

/**
 * Captures before it counts, because only then the requests that come next have not been carried out.
 *
 * @param {import("./count-costs.mjs").Running} running
 * @returns {Promise<{ captured: import("./statement-batch.mjs").BoundStatement[][], counted: import("./count-costs.mjs").Costs }>}
 */
async function measureCosts(running) {
  const captured = running.recording.isReplayed ? await captureStatements(running) : []
  return { captured, counted: await countCosts(running) }
}

/**
 * Records the answers of the server to the requests. A live query asks for what has changed since it asked last, and would
 * learn nothing from a recorded answer: its operations go to the server.
 *
 * @param {Measured} measured
 * @param {Order} order
 */
async function prepare({ server, recording }, { requests, subscription }) {
  recording.isReplayed = false
  if (subscription === undefined) {
    const sender = new RequestSender(server, requests)
    await sender.run(RECORDED_REQUESTS)
    recording.isReplayed = true
    return { recording, sender }
  }
  const subscriber = new Subscriber(server, subscription)
  await subscriber.isReady
  return { recording, sender: new RequestSender(server, requests, subscriber) }
}
