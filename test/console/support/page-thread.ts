import type { CDPSession, Page } from "playwright-core"

/** The work of a page's main thread so far, in seconds of its own CPU time, and the size of its document. */
interface PageMetrics {
  readonly seconds: number
  readonly nodes: number
}

/**
 * Measures the main thread of a page. Its own CPU time does not depend on what else the machine does, as the time on the
 * clock does.
 */
export class PageThread {
  readonly #session: CDPSession

  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async of(page: Page): Promise<PageThread> {
    const session = await page.context().newCDPSession(page)
    await session.send("Performance.enable", { timeDomain: "threadTicks" })
    return new PageThread(session)
  }

  async read(): Promise<PageMetrics> {
    const { metrics } = await this.#session.send("Performance.getMetrics")
    const metricOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
    return { seconds: metricOf("TaskDuration"), nodes: metricOf("Nodes") }
  }

  /** Resolves to the CPU seconds that the thread takes for an action, until the page is idle again. */
  async during(action: () => Promise<unknown>): Promise<number> {
    const { seconds } = await this.read()
    await action()
    return (await this.read()).seconds - seconds
  }
}

/** Resolves to the least of five runs of a measure: what else happens in the browser only adds to it. */
export async function leastOfFive(measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5; run++) least = Math.min(least, await measure())
  return least
}
