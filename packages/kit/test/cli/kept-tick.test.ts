import { executionAsyncResource } from "node:async_hooks"
import { expect, test } from "vitest"
import { keptTick } from "../../src/cli/kept-tick.ts"

test("the object that is kept is one of those that hold the callbacks of process.nextTick", async () => {
  const tick = await new Promise<object>((resolve) => {
    process.nextTick(() => resolve(executionAsyncResource()))
  })

  expect(tick).toHaveProperty("callback")
  expect(Reflect.ownKeys(keptTick.object ?? {})).toEqual(Reflect.ownKeys(tick))
})
