import { readdir, readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { SENTENCES } from "./sentences.ts"

// Search and documents are not built yet; their statements have this number.
const ASIDE = ["9"]

test("every statement of the interface has a test, and no test has two", async () => {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith(".test.ts"))
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), "utf8")))
  const proved = texts.flatMap((text) => [...text.matchAll(/^\s*prove\("([\d.]+)"/gm)].map((match) => match[1]))

  expect(proved.sort()).toEqual(Object.keys(SENTENCES).sort())
  expect(proved.filter((number) => ASIDE.includes(number?.split(".")[0] ?? ""))).toEqual([])
})
