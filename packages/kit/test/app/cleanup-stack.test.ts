import { expect, test } from "vitest"
import { CleanupStack } from "../../src/app/cleanup-stack.ts"

test("parts are closed in the opposite order, each once, also when one of them fails", async () => {
  const closed: string[] = []
  const opened = new CleanupStack()
  opened.add(() => closed.push("first"))
  opened.add(() => {
    closed.push("second")
    throw new Error("It is stuck.")
  })
  opened.add(() => closed.push("third"))

  await expect(opened.close()).rejects.toThrow("It is stuck.")
  await opened.close()

  expect(closed).toEqual(["third", "second", "first"])
})
