import { openConnection } from "../harness/connection.mjs"
import { ORDERS } from "../harness/measure-row.mjs"
import { intervalConfidence, median, medianInterval } from "../harness/statistics.mjs"

/**
 * @typedef {{ kit: number, raw: number }} Ports
 * @typedef {{ name: string, ports: Ports, requests: readonly Record<"kit" | "raw", Buffer>[], clients: number, rounds: number,
 *   figure: (latencies: readonly number[]) => number }} Plan
 *   `figure` makes one figure of the latencies that one side had in a round, such as their median.
 */

/** Returns the bytes of a request. @param {{ method: string, path: string, cookie?: string, body: unknown }} call */
export function requestOf({ method, path, cookie, body }) {
  const text = JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    ...(cookie ? [`cookie: ${cookie}`] : []),
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
  ]
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`)
}

/**
 * Sends the same requests to both sides in turn, so that a disturbance of the machine affects both. A round has two turns
 * of each side, each with half of the requests.
 *
 * @param {Plan} plan
 */
export async function measureRounds(plan) {
  const rounds = []
  // The first round warms up.
  for (let number = 0; number <= plan.rounds; number += 1) {
    const round = await runRound(plan, number)
    if (number > 0) rounds.push(round)
  }
  const ratios = rounds.map(({ kit, raw }) => kit / raw)
  return {
    name: plan.name,
    kitMs: median(rounds.map(({ kit }) => kit)),
    rawMs: median(rounds.map(({ raw }) => raw)),
    ratio: median(ratios),
    ...medianInterval(ratios),
    confidence: intervalConfidence(ratios.length),
    rounds: ratios.length,
    requests: plan.requests.length,
  }
}

/** @param {Plan} plan @param {number} number */
async function runRound({ ports, requests, clients, figure }, number) {
  const half = Math.ceil(requests.length / 2)
  const sent = { kit: 0, raw: 0 }
  /** @type {Record<"kit" | "raw", number[]>} */
  const latencies = { kit: [], raw: [] }
  for (const side of ORDERS[number % 2]) {
    const part = requests.slice(sent[side], sent[side] + half).map((request) => request[side])
    sent[side] += half
    latencies[side].push(...(await sendAll(part, { port: ports[side], clients })))
  }
  return { kit: figure(latencies.kit), raw: figure(latencies.raw) }
}

/** @param {readonly Buffer[]} requests @param {{ port: number, clients: number }} target @returns {Promise<number[]>} */
async function sendAll(requests, { port, clients }) {
  const waiting = [...requests]
  /** @type {number[]} */
  const latencies = []
  const work = async () => {
    const connection = await openConnection(port)
    for (let request = waiting.shift(); request !== undefined; request = waiting.shift()) {
      latencies.push(await sendOne(connection, request))
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: clients }, work))
  return latencies
}

/** @param {import("../harness/connection.mjs").Connection} connection @param {Buffer} request @returns {Promise<number>} */
function sendOne(connection, request) {
  return new Promise((resolve, reject) => {
    connection.onAnswer = () => resolve(performance.now() - connection.sentAt)
    connection.onFailure = reject
    connection.send(request)
  })
}

/** @param {Awaited<ReturnType<typeof measureRounds>>} result @param {string} bar */
export function showResult({ name, kitMs, rawMs, ratio, low, high, confidence, rounds, requests }, bar) {
  const interval = `${low.toFixed(2)}–${high.toFixed(2)} at ${(confidence * 100).toFixed(0)} %`
  console.log(`${name}: ${ratio.toFixed(2)} (${interval}; ${bar}), ${kitMs.toFixed(2)} ms / ${rawMs.toFixed(2)} ms`)
  console.log(`  ${rounds} rounds of ${requests} requests to each side`)
}
