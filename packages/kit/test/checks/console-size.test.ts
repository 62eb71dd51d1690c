import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

const MANIFEST = "packages/kit/dist/console/manifest.json"
const KB = 1024

/** Each chunk has one file of this many KB, and imports these chunks. */
const CHUNKS: Readonly<Record<string, readonly [kb: number, imports?: readonly string[]]>> = {
  "src/main.tsx": [60, ["_react.js"]],
  "_react.js": [20],
  "src/screens/sign-in.tsx": [10, ["_react.js"]],
  "src/screens/list.tsx": [50, ["_grid.js"]],
  "_grid.js": [40],
  "src/screens/record.tsx": [30, ["_grid.js"]],
  "src/screens/trash.tsx": [5, ["_grid.js", "_toast.js"]],
  "_toast.js": [5],
}

function manifestOf(chunks: typeof CHUNKS): string {
  const entries = Object.entries(chunks)
  const file = (key: string) => `assets/${key.replaceAll("/", "-")}`
  const sizes = entries.map(([key, [kb]]) => [file(key), { bytes: 3 * kb * KB, gzip: kb * KB, brotli: kb * KB }])
  const font = { bytes: 90 * KB, gzip: 90 * KB }
  const shown = entries.map(([key, [, imports = []]]) => [key, { file: file(key), styles: [], imports, lazy: [] }])
  const files = { ...Object.fromEntries(sizes), "assets/geist.woff2": font }
  return JSON.stringify({ page: [file("src/main.tsx")], chunks: Object.fromEntries(shown), files })
}

const BUDGETS = `
export const VISITS = [
  { name: "sign-in", modules: ["src/screens/sign-in.tsx"], maxKb: 90 },
  { name: "list", modules: ["src/screens/list.tsx"], maxKb: 170 },
  { name: "record", modules: ["src/screens/record.tsx"], over: "list", maxKb: 30 },
]
export const OTHER_SCREENS = { folder: "src/screens/", over: "list", maxKb: 10 }
export const ALL_KB = 220
`

function problemsIn(chunks: typeof CHUNKS, budgets = BUDGETS): Promise<string[]> {
  return problemsOf("console-size", { [MANIFEST]: manifestOf(chunks), "packages/console/budgets.mjs": budgets })
}

test("a console within its budgets has no problem; fonts do not count, and shared code counts once", async () => {
  expect(await problemsIn(CHUNKS)).toEqual([])
})

test.each<[string, Partial<typeof CHUNKS>, string]>([
  ["sign-in", { "src/screens/sign-in.tsx": [11] }, "sign-in has 91.0 KB, compressed; at most 90 KB"],
  ["list", { "src/screens/list.tsx": [51, ["_grid.js"]] }, "list has 171.0 KB, compressed; at most 170 KB"],
  ["record", { "src/screens/record.tsx": [31] }, "record has 31.0 KB over list, compressed; at most 30 KB"],
  [
    "another screen, by what it imports",
    { "_toast.js": [6] },
    "src/screens/trash.tsx has 11.0 KB over list, compressed; at most 10 KB",
  ],
])("the code of %s is limited", async (_name, changed, problem) => {
  expect(await problemsIn({ ...CHUNKS, ...(changed as typeof CHUNKS) })).toContain(`the console: ${problem}`)
})

test("all code together is limited, and what the package stores", async () => {
  const large = { ...CHUNKS, "src/later.ts": [700] as const }

  const problems = await problemsIn(large)

  expect(problems).toEqual([
    expect.stringMatching(/^the console: all code has 920\.0 KB, compressed; at most 220 KB$/),
    expect.stringMatching(/^the console adds \d+ bytes to the package; at most 900000$/),
  ])
})

test("a module that is no chunk is a mistake in the table", async () => {
  const budgets = BUDGETS.replace("record.tsx", "recrod.tsx")

  const [problem] = await problemsIn(CHUNKS, budgets)

  expect(problem).toContain(
    "packages/console/budgets.mjs names src/screens/recrod.tsx, which is no chunk of the console.",
  )
})

test("a console that is not built says what to run", async () => {
  expect(await problemsOf("console-size", {})).toEqual([`${MANIFEST} does not exist (run npm run build)`])
})
