/** What must be undone before the run ends, whichever way it ends. The last thing begun is undone first. */
export class Cleanup {
  /** @type {(() => unknown)[]} */
  #tasks = []
  #isEnding = false

  /** What is begun after the end has come is undone at once. @param {() => unknown} task */
  add(task) {
    if (this.#isEnding) void attempt(task)
    else this.#tasks.push(task)
  }

  async run() {
    this.#isEnding = true
    for (const task of this.#tasks.splice(0).reverse()) await attempt(task)
  }
}

/** One failed task does not keep the others from running. @param {() => unknown} task */
async function attempt(task) {
  try {
    await task()
  } catch (error) {
    console.error(`Could not clean up: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
