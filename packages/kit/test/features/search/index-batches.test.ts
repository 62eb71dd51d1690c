import { describe, expect, test } from "vitest"
import type { IndexedTable } from "../../../src/engine/search/index/indexed-tables.ts"
import { IndexBatches } from "../../../src/features/search/index-batches.ts"
import type { IndexStep } from "../../../src/features/search/index-step.ts"
import type { QueuedRecord } from "../../../src/sql/search/queue.ts"

const rows = (count: number): QueuedRecord[] =>
  Array.from({ length: count }, (_, place) => ({
    queueId: String(place),
    table: "posts",
    id: `record ${place}`,
    isContent: false,
    done: [],
    attempts: 0,
  }))

interface Options {
  readonly steps: readonly IndexStep[]
  readonly signal?: AbortSignal
}

function batches({ steps, signal = new AbortController().signal }: Options) {
  const warnings: string[] = []
  const silent = () => undefined
  return {
    warnings,
    batches: new IndexBatches({
      steps,
      signal,
      // The cast is safe: the steps of these tests do not look at the resource.
      tables: new Map([["posts", { resource: undefined, stage: undefined } as unknown as IndexedTable]]),
      refreshContent: () => Promise.resolve(),
      logger: { debug: silent, info: silent, error: silent, warn: (message) => void warnings.push(message) },
    }),
  }
}

const works = (name: string): IndexStep => ({ name, process: () => Promise.resolve() })
const fails = (name: string): IndexStep => ({ name, process: () => Promise.reject(new Error("down")) })

function failsFor(name: string, bad: readonly string[]): IndexStep & { readonly calls: number[] } {
  const calls: number[] = []
  return {
    name,
    calls,
    process: ({ ids }) => {
      calls.push(ids.length)
      return ids.some((id) => bad.includes(id)) ? Promise.reject(new Error("bad record")) : Promise.resolve()
    },
  }
}

describe("a batch of changed records", () => {
  test("is finished when every step has processed it", async () => {
    const { batches: work } = batches({ steps: [works("words"), works("vectors")] })

    expect(await work.process(rows(3))).toEqual({ finished: ["0", "1", "2"], unfinished: [] })
  })

  test("keeps what has succeeded if a step fails for every record, and pauses that step alone", async () => {
    const { batches: work, warnings } = batches({ steps: [fails("vectors"), works("words")] })

    const { finished, unfinished } = await work.process(rows(3))

    expect(finished).toEqual([])
    expect(unfinished.map(({ done }) => done)).toEqual([["words"], ["words"], ["words"]])
    expect(unfinished.map(({ attempts }) => attempts)).toEqual([1, 0, 0])
    expect(work.availableSteps()).toEqual(["words"])
    expect(work.msUntilRetry()).toBeLessThanOrEqual(1_000)
    expect(warnings).toHaveLength(2)
  })

  test("puts only those records aside for which a step fails", async () => {
    const step = failsFor("words", ["record 3", "record 90"])
    const { batches: work } = batches({ steps: [step] })

    const { finished, unfinished } = await work.process(rows(100))

    expect(finished).toHaveLength(98)
    expect(unfinished.map(({ queueId, attempts }) => [queueId, attempts])).toEqual([
      ["3", 1],
      ["90", 1],
    ])
    expect(unfinished.every(({ delayMs }) => delayMs >= 1_000)).toBe(true)
    expect(work.availableSteps()).toEqual(["words"])
    expect(step.calls.length).toBeLessThan(40)
  })

  test("waits twice as long after each failure of a record, up to an hour", async () => {
    const { batches: work } = batches({ steps: [failsFor("words", ["record 1"])] })
    const delayAfter = async (attempts: number) => {
      const { unfinished } = await work.process(rows(3).map((row) => ({ ...row, attempts })))
      return unfinished[0]?.delayMs
    }

    expect([await delayAfter(0), await delayAfter(1), await delayAfter(5), await delayAfter(40)]).toEqual([
      1_000, 2_000, 32_000, 3_600_000,
    ])
  })

  test("does not count what is interrupted by a shutdown as a failure", async () => {
    const stopping = new AbortController()
    const step: IndexStep = {
      name: "vectors",
      process: () => {
        stopping.abort()
        return Promise.reject(new Error("aborted"))
      },
    }
    const { batches: work, warnings } = batches({ steps: [step], signal: stopping.signal })

    const { unfinished } = await work.process(rows(2))

    expect(unfinished.map(({ attempts, delayMs }) => [attempts, delayMs])).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect(warnings).toEqual([])
  })
})
