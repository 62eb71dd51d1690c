// @module-tag not-about-connections

import { readdir, readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { SENTENCES } from "./sentences.ts"

test("every statement of the interface has a test, and no test has two", async () => {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith(".test.ts"))
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), "utf8")))
  const proved = texts.flatMap((text) => [...text.matchAll(/^\s*prove\("([\d.]+)"/gm)].map((match) => match[1]))

  expect(proved.sort()).toEqual(Object.keys(SENTENCES).sort())
})
