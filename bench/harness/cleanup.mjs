/** The tasks that must run before the process ends, however it ends. They run in reverse order. */
export class Cleanup {
  /** @type {(() => unknown)[]} */
  #tasks = []
  #isEnding = false

  /** Adds a task. If the cleanup has already run, the task runs immediately. @param {() => unknown} task */
  add(task) {
    if (this.#isEnding) void attempt(task)
    else this.#tasks.push(task)
  }

  async run() {
    this.#isEnding = true
    for (const task of this.#tasks.splice(0).reverse()) await attempt(task)
  }
}

/** A failed task does not keep the others from running. @param {() => unknown} task */
async function attempt(task) {
  try {
    await task()
  } catch (error) {
    console.error(`Could not clean up: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
