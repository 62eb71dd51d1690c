import type { CDPSession, Page } from "playwright-core"

/** The work of a page's main thread so far, in seconds of its own CPU time, and the size of its document. */
interface PageMetrics {
  readonly seconds: number
  readonly nodes: number
}

const LOOK_MS = 40
const LONGEST_WAIT_MS = 30_000

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

  /**
   * Waits until the page contains a text, and has painted it. A locator would do as much work in the page as a small page
   * does itself.
   */
  async showsText(text: string): Promise<void> {
    const deadline = performance.now() + LONGEST_WAIT_MS
    while (!(await this.#isTrue(`document.body?.textContent.includes(${JSON.stringify(text)})`))) {
      if (performance.now() > deadline) throw new Error(`The page does not show "${text}".`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
    await this.painted()
  }

  /** Waits until the page has painted what it has done so far. */
  async painted(): Promise<void> {
    await this.#isTrue("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
  }

  async #isTrue(expression: string): Promise<boolean> {
    // The page may be on its way to another document.
    const answer = await this.#session
      .send("Runtime.evaluate", { expression, awaitPromise: true })
      .catch(() => undefined)
    return answer?.result.value === true
  }
}

/** Resolves to the least of five runs of each measure, in turns: what else happens on the machine only adds to it. */
export async function leastOfFive<Name extends string>(
  measures: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Readonly<Record<Name, number>>> {
  // The cast is safe: these are the names of the measures.
  const names = Object.keys(measures) as Name[]
  const runs = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let run = 0; run < 5; run++) for (const name of names) runs.get(name)?.push(await measures[name]())
  return Object.fromEntries(names.map((name) => [name, Math.min(...(runs.get(name) ?? []))])) as Record<Name, number>
}
