import { LIVE_TOPIC } from "../harness/live-topic.mjs"
import { requestBytes } from "../harness/request-bytes.mjs"
import { findRow } from "../harness/rows.mjs"

/**
 * @typedef {object} Operation
 * @property {string} name
 * @property {(attempt: number) => Buffer[]} requests  what is sent, in turn; the writes of each attempt are new ones
 * @property {Buffer} [subscription] the request of a stream that sees each of the requests
 */

const REQUESTS = 40
// Each write of a live query has to differ from all others, because nothing is recorded. The numbers begin behind those
// of the other writes.
const LIVE_REQUESTS = 700
const FIRST_LIVE_REQUEST = 10_000
const NUMBERS_OF_ATTEMPT = 1_000

/** The measured operations: the requests of the rows of `npm run bench`. @type {readonly Operation[]} */
export const OPERATIONS = Object.freeze([
  ...["get", "list", "filtered", "create", "patch", "route"].map((name) => ({
    name,
    requests: (/** @type {number} */ attempt) => requestsOf(name, { from: numbersFrom(0, attempt), count: REQUESTS }),
  })),
  {
    name: "live",
    requests: (/** @type {number} */ attempt) =>
      requestsOf("create", { from: numbersFrom(FIRST_LIVE_REQUEST, attempt), count: LIVE_REQUESTS }),
    subscription: requestBytes({ method: "POST", path: "/realtime", body: { topics: [LIVE_TOPIC] } }),
  },
])

/** @param {number} first @param {number} attempt */
function numbersFrom(first, attempt) {
  return first + attempt * NUMBERS_OF_ATTEMPT
}

/** @param {string} row @param {{ from: number, count: number }} numbers */
function requestsOf(row, { from, count }) {
  const { kit } = findRow(row)
  return Array.from({ length: count }, (_, index) => requestBytes(kit(from + index)))
}
