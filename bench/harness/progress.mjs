const isTerminal = process.stderr.isTTY === true

/** Progress goes to stderr, so that stdout holds the tables only. @param {string} message */
export function showStep(message) {
  process.stderr.write(isTerminal ? `\r\x1b[K${message}\n` : `${message}\n`)
}

/** One changing line on a terminal, nothing elsewhere. @param {string} message */
export function showMoment(message) {
  if (isTerminal) process.stderr.write(`\r\x1b[K${message}`)
}
