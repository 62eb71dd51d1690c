import { SESSION_COOKIE } from "../harness/seeded-session.mjs"

/**
 * Throws unless both servers give the same total, facets and records, in the same order.
 *
 * @param {import("./latency-rounds.mjs").Ports} ports
 * @param {readonly object[]} bodies
 */
export async function checkSameAnswers(ports, bodies) {
  for (const body of bodies) {
    const [kit, raw] = await Promise.all([ask(ports.kit, body), ask(ports.raw, body)])
    if (compared(kit) === compared(raw)) continue
    throw new Error(`The answers to ${JSON.stringify(body)} differ.\nkit ${compared(kit)}\nraw ${compared(raw)}`)
  }
}

/** @param {number} port @param {object} body */
async function ask(port, body) {
  const headers = { "content-type": "application/json", cookie: SESSION_COOKIE }
  const response = await fetch(`http://127.0.0.1:${port}/search`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response.json()
}

/**
 * Scores are left out, because they are comparable only within one answer, and the text of highlights, because each side
 * may choose the parts that it shows.
 *
 * @param {Record<string, any>} answer
 */
function compared({ docs, total, facets }) {
  const found = docs.map((/** @type {any} */ { id, title }) => ({ id, title }))
  return JSON.stringify({ total, facets, found }, null, 1)
}
