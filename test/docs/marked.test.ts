// @module-tag not-about-engine

import { expect, test } from "vitest"
import { readSnippets } from "./snippets.ts"

const MAX_NOT_RUN = 15

test("every snippet is compiled or run, or has a reason why not", async () => {
  const snippets = await readSnippets(".")
  const titles = (kind: string) => snippets.filter(({ plan }) => plan.kind === kind).map(titleOf)

  expect(titles("unmarked")).toEqual([])
  expect(titles("not run").length, titles("not run").join("\n")).toBeLessThanOrEqual(MAX_NOT_RUN)
})

function titleOf({ page, line, text }: Awaited<ReturnType<typeof readSnippets>>[number]): string {
  return `${page}:${line} ${text.split("\n")[0]}`
}
