import { randomBytes } from "node:crypto"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { problemsOf } from "./problems-of.ts"

const ENTRY = "packages/kit/src/client.ts"

const printed = vi.fn()
beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(printed)
})
afterEach(() => {
  vi.restoreAllMocks()
})

test("a small client is fine, whatever it leaves unused", async () => {
  const problems = await problemsOf("client-size", {
    [ENTRY]: 'export { used } from "./client/parts.ts"',
    "packages/kit/src/client/parts.ts": `export const used = 1\nexport const unused = "${noise(12_000)}"`,
  })

  expect(problems).toEqual([])
  expect(printed).toHaveBeenCalledWith(expect.stringMatching(/the client is \d{2,3} bytes, minified and compressed/))
})

test("a client that is too large is told its size", async () => {
  const problems = await problemsOf("client-size", { [ENTRY]: `export const text = "${noise(12_000)}"` })

  expect(problems).toEqual([expect.stringMatching(/^The client has \d{4,} bytes; at most 8192/)])
})

test.each(["node:fs", "pg"])("a client that needs %s is refused", async (name) => {
  const problems = await problemsOf("client-size", { [ENTRY]: `export * from "${name}"` })

  expect(problems).toEqual([`The client imports "${name}"; it must run in a browser without any package`])
})

// Does not compress.
function noise(characters: number): string {
  return randomBytes(characters).toString("base64").slice(0, characters)
}
