import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { beforeAll, describe, expect, inject, test } from "vitest"
import { Checkout } from "./checkout.ts"
import { extractBlocks } from "./markdown.ts"
import { listPages } from "./snippets.ts"

// Stands for a value that the reader has to fill in; a block with one is only compiled.
const BLANK = "…"

const checkout = new Checkout(inject("checkout"))
const folder = join(checkout.folderOf("newsroom"), ".docs")
const pages = await listPages(checkout.root)
const texts = await Promise.all(pages.map((page) => readFile(join(checkout.root, page), "utf8")))
const blocks = pages.flatMap((page, index) => extractBlocks(page, texts[index] ?? "").blocks)

// The blocks of a page import each other. The empty settings keep those of this repository's own tests away.
beforeAll(async () => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "vitest.config.mjs"), "export default { test: { testTimeout: 60_000 } }")
  for (const { path, text } of blocks) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text.replaceAll("localhost:3000", checkout.addressOf("newsroom")))
  }
})

describe("examples of the client run", () => {
  const runner = join(checkout.root, "test/docs/run-example.mjs")
  for (const { path } of blocks.filter(({ text }) => usesClient(text) && !text.includes(BLANK)))
    test(path, async () => {
      const address = `http://${checkout.addressOf("newsroom")}/api`

      await checkout.run("newsroom", `node --import tsx '${runner}' '${join(folder, path)}' ${address}`)
    })
})

describe("examples of tests pass", () => {
  for (const { path } of blocks.filter(({ text }) => isTest(text)))
    test(path, async () => {
      await checkout.run("newsroom", `vitest run --config .docs/vitest.config.mjs '${join(".docs", path)}'`)
    })
})

test("every client of an example names the mount path", () => {
  const clients = blocks.filter(({ text }) => usesClient(text) && /createClient[<(]/.test(text))
  const withoutPath = clients.filter(({ text }) => !text.includes("basePath:"))

  expect(withoutPath.map(({ path }) => path)).toEqual([])
})

function usesClient(text: string): boolean {
  return /from "(kit\/client|\.\/client\.ts)"/.test(text)
}

function isTest(text: string): boolean {
  return text.includes('from "vitest"') && !text.includes(BLANK)
}
