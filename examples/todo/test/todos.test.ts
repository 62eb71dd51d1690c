import { fileURLToPath } from "node:url"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import type { AppConfig } from "../src/generated/index.ts"

test("a todo is open until it is done", async () => {
  await using app = await testApp<AppConfig>({ root: fileURLToPath(new URL("..", import.meta.url)) })
  const { todos } = app.anonymous.collections
  const { id, done } = await todos.create({ title: "Water the plants" })

  expect([done, (await todos.updateById({ id, data: { done: true } })).done]).toEqual([false, true])
})
