import { CleanupStack } from "./cleanup-stack.ts"

/**
 * A part of an app. `Dependencies` must be open before it, and `Opened` is what it adds for the parts after it. `open`
 * is a property, because the compiler does not check the parameters of a method as strictly: a list could then open a
 * part before its dependencies.
 */
export interface Part<Dependencies, Opened> {
  readonly open: (dependencies: Dependencies) => Opened | Promise<Opened>
  readonly close?: (opened: Dependencies & Awaited<Opened>) => unknown
}

type OpenAll<Inputs, Opened> = (inputs: Inputs, closers: CleanupStack) => Promise<{ readonly opened: Opened }>

/** The parts of an app, in the order in which they open. Each part can use the inputs and all parts before it. */
export class PartList<Inputs, Opened> {
  readonly #openAll: OpenAll<Inputs, Opened>

  private constructor(openAll: OpenAll<Inputs, Opened>) {
    this.#openAll = openAll
  }

  /** Returns a list without parts. */
  static withInputs<Inputs>(): PartList<Inputs, Inputs> {
    return new PartList((inputs) => Promise.resolve({ opened: inputs }))
  }

  /** Returns this list with one more part, which opens last and closes first. */
  add<Added>(part: Part<Opened, Added>): PartList<Inputs, Opened & Awaited<Added>> {
    return new PartList(async (inputs, closers) => {
      const before = (await this.#openAll(inputs, closers)).opened
      const opened = { ...before, ...(await part.open(before)) }
      closers.add(() => part.close?.(opened))
      return { opened }
    })
  }

  /**
   * Opens the parts one after the other. `close` closes them in the reverse order. If a part fails to open, those that
   * are open are closed, and the error is thrown.
   */
  async open(inputs: Inputs): Promise<{ readonly opened: Opened; close(): Promise<void> }> {
    const closers = new CleanupStack()
    try {
      const { opened } = await this.#openAll(inputs, closers)
      return { opened, close: () => closers.close() }
    } catch (error) {
      // Ignores errors while closing, because the author needs the error that made the start fail.
      await closers.close().catch(() => undefined)
      throw error
    }
  }
}
