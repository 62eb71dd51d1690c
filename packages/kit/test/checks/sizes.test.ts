import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

const FILE = "packages/kit/src/sql/where.ts"

const lines = (count: number) => "  go()\n".repeat(count)

const refused: [name: string, text: string, problem: string][] = [
  ["a file of 401 lines", "go()\n".repeat(401), `${FILE} has 401 lines; at most 400, split by step`],
  ["a function of 71 lines", `\nfunction run() {\n${lines(69)}}\n`, `${FILE}:2 run has 71 lines; at most 70`],
  [
    "a function with four parameters",
    "export function run(a: A, { b, c }: B, d = 1, ...e: E[]) {}",
    `${FILE}:1 run takes 4 parameters; at most 3, then an object`,
  ],
  [
    "an arrow function with four parameters",
    "const run = (a, b, c, d) => a",
    `${FILE}:1 run takes 4 parameters; at most 3, then an object`,
  ],
  [
    "a constructor with four parameters",
    "class A {\n  constructor(a: A, b: B, c: C, d: D) {}\n}",
    `${FILE}:2 constructor takes 4 parameters; at most 3, then an object`,
  ],
  [
    "three levels of nesting",
    "function run() {\n  for (const a of b) {\n    if (a) {\n      try { go() } catch {}\n    }\n  }\n}",
    `${FILE}:1 run nests 3 levels deep; at most 2, return early or name a step`,
  ],
]

test.each(refused)("%s is refused", async (_name, text, problem) => {
  expect(await problemsOf("sizes", { [FILE]: text })).toEqual([problem])
})

const accepted: [name: string, text: string][] = [
  ["a file of 400 lines", "go()\n".repeat(400)],
  ["a function of 70 lines", `function run() {\n${lines(68)}}\n`],
  ["three parameters and a this", "function run(this: A, a: A, b: B, c: C) {}"],
  [
    "a chain of else if",
    "function run() {\n  if (a) go()\n  else if (b) go()\n  else if (c) go()\n  else if (d) go()\n}",
  ],
  [
    "a loop in a callback in a loop",
    "function run() {\n  for (const a of b) {\n    if (a) c.map((d) => { for (const e of d) { if (e) go() } })\n  }\n}",
  ],
]

test.each(accepted)("%s is accepted", async (_name, text) => {
  expect(await problemsOf("sizes", { [FILE]: text })).toEqual([])
})

test("an adapter has at most 60 lines", async () => {
  const adapter = "packages/kit/src/adapters/koa.ts"

  expect(await problemsOf("sizes", { [adapter]: "go()\n".repeat(60) })).toEqual([])
  expect(await problemsOf("sizes", { [adapter]: "go()\n".repeat(61) })).toEqual([
    `${adapter} has 61 lines; at most 60, split by step`,
  ])
})

test.each([
  ["packages/kit/src/sql/helpers.ts", "helpers"],
  ["packages/kit/src/shared/queue.ts", "shared"],
  ["packages/kit/src/types.d.ts", "types"],
  ["scripts/lib/read.mjs", "lib"],
])("%s is refused as a drawer", async (path, drawer) => {
  expect(await problemsOf("sizes", { [path]: "" })).toEqual([`${path}: "${drawer}" is a drawer; name what is inside`])
})

test("a name that only contains the word of a drawer is accepted", async () => {
  expect(await problemsOf("sizes", { "packages/kit/src/crdt/shared-document.ts": "" })).toEqual([])
})

test("a folder of 21 files is refused, among the sources and among the tests", async () => {
  const files = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index): [string, string] => [`${folder}/a${index}.ts`, "go()\n"])
  const folders = [
    ...files("packages/kit/src/sql", 21),
    ...files("packages/kit/src/wire", 20),
    ...files("test/live", 21),
  ]

  expect(await problemsOf("sizes", Object.fromEntries(folders))).toEqual([
    "packages/kit/src/sql has 21 files; at most 20, split by subject",
    "test/live has 21 files; at most 20, split by subject",
  ])
})
