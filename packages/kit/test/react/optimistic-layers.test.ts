import { setImmediate as nextTurn } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { OptimisticLayers } from "../../src/react/mutations/optimistic-layers.ts"
import type { LayeredResult } from "../../src/react/store/layer.ts"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
afterEach(() => vi.useRealTimers())

/** A live result with one record, which the stream has sent. */
const liveResult = (): LayeredResult => ({
  kind: "record",
  resource: "tasks",
  id: "a",
  options: {},
  base: { data: { id: "a", title: "A" } },
  isCurrent: true,
  show: () => {},
  renew: () => {},
})

test("a result keeps none of the writes that it has contained, however many a page sends", async () => {
  const result = liveResult()
  const layers = new OptimisticLayers(() => [result])
  const written: WeakRef<object>[] = []
  const send = (write: string) => {
    const data = { title: write }
    written.push(new WeakRef(data))
    const layer = layers.add(write, [{ kind: "patch", resource: "tasks", scope: {}, id: "a", data }])
    layers.settle(layer, { id: "a" })
    layers.announce([write])
    layers.receive(result, { data: { id: "a", title: write }, take: () => {} })
  }

  for (let number = 0; number < 50; number++) send(`write ${number}`)
  vi.runAllTimers()
  // A weak reference keeps its object until the turn ends in which it was made.
  await nextTurn()
  collectGarbage()

  // The newest result still knows the last one.
  expect(written.filter((data) => data.deref()).length).toBeLessThanOrEqual(1)
})

test("a result that already has the value of a later write does not go back to an earlier one", () => {
  const data = { id: "a", title: "later" }
  const result = { ...liveResult(), base: { data }, isCurrent: false }
  const layers = new OptimisticLayers(() => [result])
  const write = (title: string) =>
    layers.add(title, [{ kind: "patch", resource: "tasks", scope: {}, id: "a", data: { title } }])
  write("earlier")
  const later = write("later")

  layers.settle(later, data)
  layers.announce(["later"])

  expect(layers.over(result, data)).toEqual(data)
})
