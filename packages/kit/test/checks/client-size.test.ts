import { randomBytes } from "node:crypto"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { problemsOf } from "./problems-of.ts"

const ENTRY = "packages/kit/src/client.ts"
const CRDT = "packages/kit/src/crdt.ts"
const REACT = "packages/kit/src/react.ts"
const REACT_INFINITE = "packages/kit/src/react-infinite.ts"
const REACT_READS = "packages/kit/src/react-reads.ts"
const TANSTACK = "packages/kit/src/tanstack.ts"
const SMALL = {
  [ENTRY]: "export const client = 1",
  [CRDT]: "export const crdt = 1",
  [REACT]: "export const useLive = 1",
  [REACT_INFINITE]: "export const useInfinite = 1",
  [REACT_READS]: "export const useRead = 1",
  [TANSTACK]: "export const queryOptions = 1",
}

const printed = vi.fn()
beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(printed)
})
afterEach(() => {
  vi.restoreAllMocks()
})

test("a small client is fine, whatever it leaves unused", async () => {
  const problems = await problemsOf("client-size", {
    ...SMALL,
    [ENTRY]: 'export { used } from "./client/parts.ts"',
    "packages/kit/src/client/parts.ts": `export const used = 1\nexport const unused = "${noise(12_000)}"`,
  })

  expect(problems).toEqual([])
  expect(printed).toHaveBeenCalledWith(expect.stringMatching(/the client is \d{2,3} bytes, minified and compressed/))
})

test("a client that is too large is told its size", async () => {
  const problems = await problemsOf("client-size", { ...SMALL, [ENTRY]: `export const text = "${noise(14_000)}"` })

  expect(problems).toEqual([expect.stringMatching(/^the client has \d{4,} bytes; at most 9216/)])
})

test.each(["node:fs", "pg"])("a client that needs %s is refused", async (name) => {
  const problems = await problemsOf("client-size", { ...SMALL, [ENTRY]: `export * from "${name}"` })

  expect(problems).toEqual([`the client imports "${name}"; it must run in a browser without it`])
})

test("kit/crdt has a budget of its own, and may use Yjs but no other package", async () => {
  const crdt = `export * from "yjs"\nexport * from "lib0/array"\nexport const text = "${noise(12_000)}"`
  const problems = await problemsOf("client-size", { ...SMALL, [CRDT]: crdt })

  expect(problems).toEqual([
    'kit/crdt imports "lib0/array"; it must run in a browser without it',
    expect.stringMatching(/^kit\/crdt has \d{4,} bytes; at most 8192/),
  ])
})

test("the bindings have budgets over the client, and a page with live lists loads no more than it uses", async () => {
  const client = noise(7_000)
  const shared = "packages/kit/src/client/shared.ts"
  const problems = await problemsOf("client-size", {
    ...SMALL,
    [ENTRY]: 'export * from "./client/shared.ts"',
    [shared]: `export const shared = "${client}"`,
    [REACT]: `import { shared } from "./client/shared.ts"
      export const useLive = () => shared
      export const useMutation = "${noise(6_000)}"`,
    [REACT_READS]: `import { useMutation } from "./react.ts"
      export const useRead = () => useMutation + "${noise(600)}"`,
    [TANSTACK]: `import { QueryClient } from "@tanstack/query-core"
      export const queryOptions = () => new QueryClient("${noise(6_000)}")`,
  })

  expect(problems).toEqual([
    'kit/tanstack imports "@tanstack/query-core"; it must run in a browser without it',
    expect.stringMatching(/^kit\/tanstack has \d{4} bytes over the client; at most 3072/),
  ])
  expect(printed).toHaveBeenCalledWith(expect.stringMatching(/useLive alone is \d{1,3} bytes over the client/))
  expect(printed).toHaveBeenCalledWith(expect.stringMatching(/kit\/react is \d{4} bytes over the client,/))
  expect(printed).toHaveBeenCalledWith(
    expect.stringMatching(/kit\/react-reads is \d{3} bytes over the client and kit\/react,/),
  )
})

// Does not compress.
function noise(characters: number): string {
  return randomBytes(characters).toString("base64").slice(0, characters)
}
