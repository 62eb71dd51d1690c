// @module-tag not-about-engine

import { collection, type Session } from "kit"
import { expect, test } from "vitest"
import { testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "writer" } }

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().label({ en: "Title", sk: "Nadpis" }).placeholder("A title").width("half"),
    kind: f.select(["text", { value: "video", label: { en: "Film" }, color: "red" }]),
    film: f.url().visible({ kind: "video" }),
    notes: f.text().access({ read: ({ session }) => session !== null }),
    place: f.object({ city: f.text().label({ sk: "Mesto" }) }),
  }))
  .access({ read: true })
  .label({ en: "Posts", sk: "Príspevky" }, "Post")
  .icon("newspaper")
  .group("Content")
  .list({
    columns: ["title", "notes", "kind"],
    orderBy: { title: "asc" },
    filters: ["kind", "notes"],
    views: [
      { label: { en: "Films" }, where: { kind: "video" } },
      { label: "Noted", where: { notes: { isNotNull: true } } },
    ],
  })
  .form(({ tab, side }) => [tab({ sk: "Text", en: "Text" }, ["title", "film"]), side(["kind"])])
  .preview(() => "/posts")

test("callers get what the author says, in their locale and as far as they may read", async () => {
  await using app = await testApp({ resources: [posts], config: { locales: { default: "en", all: ["en", "sk"] } } })

  const { body: anyone } = await app.fetch("/posts/schema?locale=sk")
  const { body: member } = await app.fetch("/posts/schema", { session: ann })

  expect(anyone).toMatchObject({
    ...{ label: "Príspevky", singularLabel: "Post", icon: "newspaper", group: "Content", preview: true },
    fields: {
      title: { label: "Nadpis", placeholder: "A title", width: "half" },
      kind: {
        options: [
          { value: "text", label: "Text", color: null },
          { value: "video", label: "Film", color: "red" },
        ],
      },
      film: { label: "Film", visible: { kind: "video" } },
    },
    list: { columns: ["title", "kind"], orderBy: { title: "asc" }, filters: ["kind"] },
    form: [
      { kind: "tab", label: "Text", parts: ["title", "film"] },
      { kind: "side", parts: ["kind"] },
    ],
  })
  expect(anyone.list.views.map(({ label }: { label: string }) => label)).toEqual(["Films"])
  expect(JSON.stringify(anyone)).not.toContain("notes")
  expect(member.fields.title.label).toBe("Title")
  expect(member.list).toMatchObject({ columns: ["title", "notes", "kind"], filters: ["kind", "notes"] })
  expect(member.list.views).toHaveLength(2)
})
