import type { IndexStep } from "./index-step.ts"

interface IndexWorkerDependencies {
  readonly steps: readonly IndexStep[]
}

/** Runs the index steps over the records whose text has changed, until it is stopped. */
export class IndexWorker {
  readonly #setup: IndexWorkerDependencies

  constructor(setup: IndexWorkerDependencies) {
    this.#setup = setup
  }

  get steps(): readonly IndexStep[] {
    return this.#setup.steps
  }
}
