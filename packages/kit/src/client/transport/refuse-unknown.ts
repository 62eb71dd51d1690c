import { QuestpieClientError } from "./client-error.ts"

/**
 * Throws if an argument has a member that is not known here, as the server does with those that it gets. A member that is
 * undefined counts as absent. It is for the members that the client uses itself; all others are sent, so that only the
 * server has to know them.
 */
export function refuseUnknown(given: object, known: readonly string[]): void {
  for (const [path, value] of Object.entries(given)) {
    if (value === undefined || known.includes(path)) continue
    const message = `There is no "${path}" here. Known: ${known.join(", ")}.`
    const details = { status: 400, statusText: "Bad Request", url: "", code: "VALIDATION_ERROR" }
    throw new QuestpieClientError(`${path}: ${message}`, { ...details, fieldErrors: [{ path, message }] })
  }
}
