import { randomBytes } from "node:crypto"

// Random enough to tell processes apart; the count tells the requests of one apart, and costs less than chance.
const PROCESS = randomBytes(9).toString("base64url")
// Of one length for a long time, so that two answers that say the same are equally long.
const COUNT_DIGITS = 6
let count = 0

export function makeRequestId(): string {
  count += 1
  return `${PROCESS}-${count.toString(36).padStart(COUNT_DIGITS, "0")}`
}
