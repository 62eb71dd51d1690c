import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

function problemsOfWalk(...lines: string[]): Promise<string[]> {
  const page = ["# Architecture", "", "## Walks", "", ...lines, "", "## Ideas", "", "`engine/gone` → `engine/gone`", ""]
  return problemsOf("walks", {
    "ARCHITECTURE.md": page.join("\n"),
    "packages/kit/src/http/handler.ts": "",
    "packages/kit/src/engine/read/records.ts": "",
  })
}

test("a walk over files that exist is accepted, as are names that are no paths", async () => {
  const problems = await problemsOfWalk(
    "**GET /posts.** `http/handler` finds `posts/:id` →",
    "`engine/read` → `records`",
  )

  expect(problems).toEqual([])
})

test("a path that does not exist, or that a walk visits twice, is reported", async () => {
  const problems = await problemsOfWalk("**GET.** `http/handler` → `http/respond` → `http/handler`")

  expect(problems).toEqual([
    'ARCHITECTURE.md: the walk "GET." names http/respond, which does not exist in packages/kit/src',
    'ARCHITECTURE.md: the walk "GET." visits http/handler twice',
  ])
})

test("a walk of more than ten stations is reported", async () => {
  const problems = await problemsOfWalk(
    `**A job.** ${Array.from({ length: 11 }, (_, index) => `\`s${index}\``).join(" → ")}`,
  )

  expect(problems).toEqual(['ARCHITECTURE.md: the walk "A job." has 11 stations; at most 10'])
})
