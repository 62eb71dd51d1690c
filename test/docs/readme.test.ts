// @module-tag not-about-engine

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

test("the README shows the figures of the last benchmark", async () => {
  const readme = await readFile("README.md", "utf8")
  const { rows }: { rows: readonly Row[] } = JSON.parse(await readFile("bench/results/latest.json", "utf8"))
  const shown = [
    ...readme.matchAll(/^\| [^|]+\| ([a-z, ]+?) +\| ([\d,]+) +\| ([\d,]+) +\| ([\d.]+) \(([\d.]+)–([\d.]+)\) \|$/gm),
  ]

  expect(shown.map(([, name]) => name)).toEqual(["get", "list", "filtered, index on both", "create", "patch", "route"])
  for (const [, name, ...figures] of shown) {
    const { kit, raw, ratio, low, high } = rows.find((row) => row.name === name) as Row
    const counts = [kit, raw].map((count) => Math.round(count).toLocaleString("en"))
    expect(figures).toEqual([...counts, ...[ratio, low, high].map((part) => part.toFixed(2))])
  }
})

interface Row {
  readonly name: string
  readonly kit: number
  readonly raw: number
  readonly ratio: number
  readonly low: number
  readonly high: number
}
