// @module-tag not-about-engine

import { expect, test } from "vitest"
import { insertPosts, newApp, syncOnce } from "../support/worlds/migrated-app.ts"

test("kit doctor names what stored rich texts have and their vocabulary does not", async () => {
  const { folder, database, kit } = await newApp("title: f.text(), note: f.richText()")
  const before = await kit("doctor")
  await syncOnce(folder, database)
  const known = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "a" }] }] }
  const marked = { type: "text", text: "b", marks: [{ type: "bold" }, { type: "em" }] }
  const old = { type: "doc", content: [{ type: "callout", attrs: { type: "info" }, content: [marked] }] }
  await insertPosts(
    database,
    [known, old].map((note) => `'a', '${JSON.stringify(note)}'`),
  )

  const after = await kit("doctor", "--json")

  expect(before.output).not.toContain("vocabulary")
  const { findings } = JSON.parse(after.stdout)
  expect(findings.filter(({ message }: { message: string }) => message.includes("vocabulary"))).toEqual([
    {
      check: "database",
      status: "warn",
      message:
        'rich texts in "posts.note" have names that its vocabulary does not have: the mark "bold", the node "callout"',
      fix: expect.stringContaining("f.richText({ nodes, marks })"),
    },
  ])
})
