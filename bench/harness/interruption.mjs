class Interruption extends Error {}

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])

/** Rejects at a signal that ends the process, so that the run can clean up. @returns {Promise<never>} */
export function interruption() {
  return new Promise((_, reject) => {
    for (const signal of SIGNALS) process.once(signal, () => reject(new Interruption(`Ended by ${signal}.`)))
  })
}

/** Returns what a reader needs to know of the error that has ended a run. @param {unknown} error */
export function explainEnd(error) {
  if (!(error instanceof Error)) return String(error)
  return error instanceof Interruption ? error.message : String(error.stack)
}
