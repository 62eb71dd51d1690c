// Without letters and digits that look like others. Their number divides 256, so that all are equally likely.
const CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789"
const GROUPS = 4
const GROUP_LENGTH = 4

/** Returns a random password that can be read out, such as `k3vq-…`: 80 bits. */
export function madeUpPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH))
  const letters = Array.from(bytes, (byte) => CHARACTERS[byte % CHARACTERS.length]).join("")
  return Array.from({ length: GROUPS }, (_group, place) =>
    letters.slice(place * GROUP_LENGTH, (place + 1) * GROUP_LENGTH),
  ).join("-")
}
