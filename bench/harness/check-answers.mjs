import { portsOf } from "./rows.mjs"

const SAMPLES = 8
const DATE_FIELDS = ["createdAt", "updatedAt", "publishedAt"]

/**
 * Sends the same requests to both sides and compares the answers: figures of servers that answer differently mean
 * nothing.
 *
 * @param {readonly import("./rows.mjs").Row[]} rows
 * @param {import("./rows.mjs").Ports} ports
 */
export async function checkAnswers(rows, ports) {
  // The events of live rows are checked during the measurement.
  for (const row of rows.filter(({ live }) => live === undefined)) {
    for (let index = 0; index < SAMPLES; index += 1) {
      const call = row.kit(index)
      const own = portsOf(row, ports)
      const [kit, raw] = await Promise.all([ask(own.kit, call), ask(own.raw, row.raw(index))])
      const difference = compare(row, { kit, raw })
      if (difference !== undefined) {
        throw new Error(
          `The answers differ, so nothing is timed.\n${row.name}: ${call.method} ${call.path}\n${difference}`,
        )
      }
    }
  }
}

/** @param {number} port @param {import("./rows.mjs").Call} call */
export async function ask(port, { method, path, headers = {}, body }) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status: response.status, isExtended: "x-extendedjson" in headers, body: await response.json() }
}

/**
 * @typedef {{ status: number, isExtended: boolean, body: any }} Answer
 * @param {import("./rows.mjs").Row} row
 * @param {{ kit: Answer, raw: Answer }} answers
 * @returns {string | undefined}
 */
function compare(row, { kit, raw }) {
  for (const [side, { status, body }] of Object.entries({ kit, raw })) {
    if (Math.floor(status / 100) !== 2) return `${side} answered ${status}: ${JSON.stringify(body).slice(0, 500)}`
  }
  if (!kit.isExtended) return findDifference(kit.body, raw.body, row.unequal)
  return findMissingDate(kit.body, raw.body) ?? findDifference(kit.body.json, raw.body, row.unequal)
}

/** Checks that an extended answer marks which of its strings are dates. @param {any} extended @param {any} raw */
function findMissingDate({ meta }, raw) {
  const prefix = "docs" in raw ? "docs.*." : ""
  const missing = DATE_FIELDS.map((name) => prefix + name).find((path) => !meta?.values || !(path in meta.values))
  return missing === undefined ? undefined : `The extended answer does not mark ${missing} as a date.`
}

/**
 * Compares the members of the raw answer; further members of kit's answer are ignored.
 *
 * @param {any} kit
 * @param {any} raw
 * @param {readonly string[]} unequal
 * @returns {string | undefined}
 */
export function findDifference(kit, raw, unequal) {
  if (typeof raw !== "object" || raw === null || typeof kit !== "object" || kit === null) {
    return kit === raw ? undefined : `kit: ${JSON.stringify(kit)}, raw: ${JSON.stringify(raw)}`
  }
  if (Array.isArray(raw) && kit.length !== raw.length) return `kit has ${kit.length} items, raw has ${raw.length}`
  for (const key of Object.keys(raw).filter((name) => !unequal.includes(name))) {
    const difference = findDifference(kit[key], raw[key], unequal)
    if (difference !== undefined) return `${key} › ${difference}`
  }
  return undefined
}
