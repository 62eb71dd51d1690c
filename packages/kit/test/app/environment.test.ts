import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { ENVIRONMENT, readVariable } from "../../src/app/config/environment.ts"

const SOURCES = "packages/kit/src"

test("every variable of the reference is read by the code", async () => {
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) => file.endsWith(".ts"))
  const texts = await Promise.all(files.map((file) => readFile(join(SOURCES, file), "utf8")))
  const read = texts.join("\n")

  const unread = Object.keys(ENVIRONMENT).filter((name) => !read.includes(`readVariable("${name}")`))

  expect(unread).toEqual([])
})

test("a variable that is set to an empty text counts as not set", () => {
  vi.stubEnv("HOST", "")
  const empty = readVariable("HOST")
  vi.stubEnv("HOST", "0.0.0.0")
  const set = readVariable("HOST")
  vi.unstubAllEnvs()

  expect([empty, set]).toEqual([undefined, "0.0.0.0"])
})
