import { ask, findDifference } from "./check-answers.mjs"
import { showStep } from "./progress.mjs"

const SAMPLES = 8

/**
 * Returns the rows that both commits answer. An older commit may lack a measured feature. Where both answer, their
 * answers have to be equal.
 *
 * @param {readonly import("./rows.mjs").Row[]} rows
 * @param {{ ports: Record<import("./rows.mjs").Side, number>, ref: string }} sides
 */
export async function dropUnanswered(rows, { ports, ref }) {
  const answered = []
  for (const row of rows) {
    const refusal = await refusalOf(row, { ports, ref })
    if (refusal === undefined) answered.push(row)
    else showStep(`${row.name} is left out: ${refusal}`)
  }
  return answered
}

/**
 * @param {import("./rows.mjs").Row} row
 * @param {{ ports: Record<import("./rows.mjs").Side, number>, ref: string }} sides
 */
async function refusalOf(row, { ports, ref }) {
  for (let index = 0; index < SAMPLES; index += 1) {
    const call = row.kit(index)
    const [now, other] = await Promise.all([ask(ports.kit, call), ask(ports.raw, call)])
    const asked = `${row.name}: ${call.method} ${call.path}`
    if (!isSuccess(now)) throw new Error(`${asked}\nThis tree answered ${now.status}: ${textOf(now)}`)
    if (!isSuccess(other)) return `${ref} answered ${other.status} to ${call.method} ${call.path}`
    const difference = findDifference(now.body, other.body, row.unequal)
    if (difference !== undefined) throw new Error(`The answers differ, so nothing is timed.\n${asked}\n${difference}`)
  }
  return undefined
}

/** @param {{ status: number }} answer */
function isSuccess({ status }) {
  return status >= 200 && status < 300
}

/** @param {{ body: unknown }} answer */
function textOf({ body }) {
  return JSON.stringify(body).slice(0, 500)
}
