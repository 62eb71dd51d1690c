import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, inject, test } from "vitest"
import { Checkout } from "./checkout.ts"
import { extractBlocks } from "./markdown.ts"
import { listPages } from "./snippets.ts"

const DEFINITION = /^src\/(collections|globals|routes|jobs|services|emails|channels|seeds)\//

const checkout = new Checkout(inject("checkout"))
const pages = await listPages(checkout.root)
const texts = await Promise.all(pages.map((page) => readFile(join(checkout.root, page), "utf8")))
const apps = pages.map((page, index) => ({ page, files: definitionsOf(page, texts[index] ?? "") }))

// A start checks more than the compiler does: fields of filters and indexes, routes that hide each other.
describe("the files that a page adds to the example make an app that is complete", () => {
  for (const { page, files } of apps.filter(({ files }) => files.size > 0))
    test(page, async () => {
      // As deep as the example, but not in its folder: npm refuses to work with two workspaces of the same name.
      const app = join(checkout.root, ".pages", page.replaceAll(/\W/g, "-"))
      await cp(checkout.folderOf("newsroom"), app, { recursive: true, filter: isSource })
      for (const [file, text] of files) {
        await mkdir(dirname(join(app, file)), { recursive: true })
        await writeFile(join(app, file), text)
      }

      await checkout.run("checkout", `cd '${app}' && kit generate`)

      await rm(app, { recursive: true })
    })
})

function definitionsOf(page: string, text: string): ReadonlyMap<string, string> {
  const folder = `${page.replace(/\.md$/, "")}/`
  const blocks = extractBlocks(page, text).blocks.map(({ path, text }) => [path.slice(folder.length), text] as const)
  return new Map(blocks.filter(([path]) => DEFINITION.test(path)))
}

function isSource(path: string): boolean {
  return !/\/(\.kit|\.docs|node_modules)$/.test(path)
}
