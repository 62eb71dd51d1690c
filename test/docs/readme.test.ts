import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { extractBlocks } from "./markdown.ts"

test("the README shows the collection of a new app as kit new writes it", async () => {
  const { blocks } = extractBlocks("README.md", await readFile("README.md", "utf8"))
  const template = await readFile("packages/kit/templates/minimal/src/collections/posts.ts", "utf8")

  expect(blocks.find(({ path }) => path.endsWith("posts.ts"))?.text.trim()).toBe(
    `// file: src/collections/posts.ts\n${template.trim()}`,
  )
})
