import { ApiError, collection, global, type Session } from "kit"
import { describe, expect, test } from "vitest"
import { documentApp, documentDatabase } from "../support/worlds/document-world.ts"

const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text(), body: f.textarea().max(40).collaborative() }))
  .options({ versions: true, revision: true })

const EVA: Session = { user: { id: "eva", role: "author" } }

async function openNote(body: string | null = "Hello") {
  const app = await documentApp({ resources: [notes] })
  const { id } = await app.collections["notes"].create({ body })
  const address = app.address("notes", id)
  const bodyOf = async () => (await app.collections["notes"].findOne({ where: { id } })).body
  return { app, id, address, bodyOf, editor: await app.edit(address, EVA) }
}

describe("the value of a document", () => {
  test("that the record refuses stays in the document with the reason, until a later value is accepted", async () => {
    const { app, id, address, bodyOf, editor } = await openNote()

    await editor.type("!".repeat(50))
    await app.documents.settle()

    expect(await bodyOf()).toBe("Hello")
    const { problem } = await app.documents.open(address)
    expect(problem).toContain("40")
    expect(await app.documents.updatesSince(editor.id, 0)).toMatchObject({ seq: 1, problem })
    expect(await editor.readText()).toBe(`Hello${"!".repeat(50)}`)
    const changes = await app.opened.database.query({
      text: `select count(*)::int from "_kit_changes" where resource_kind = 'document' and resource = $1`,
      values: [editor.id],
    })
    expect(changes.rows).toEqual([[2]])

    await editor.send(() => editor.text.delete(5, 49))
    await app.documents.settle()

    expect(await bodyOf()).toBe("Hello!")
    expect((await app.documents.open(address)).problem).toBeNull()
    expect(await app.collections["notes"].findVersions({ id })).toHaveLength(2)
  })

  test("that a hook refuses stays in the document, and the editors learn the hook's reason", async () => {
    const strict = collection("strict")
      .fields(({ f }) => ({ body: f.textarea().collaborative() }))
      .hooks({
        beforeChange: ({ data }) => {
          if (String(data["body"]).includes("bug")) throw new Error("a mistake of the author")
          if (String(data["body"]).includes("rude")) throw new ApiError("FORBIDDEN", { message: "Be polite." })
        },
      })
    const app = await documentApp({ resources: [strict] })
    const { id } = await app.collections["strict"].create({ body: "a" })
    const address = app.address("strict", id)
    const editor = await app.edit(address)

    await editor.type("rude")
    await app.documents.settle()
    expect((await app.documents.open(address)).problem).toBe("Be polite.")

    await editor.send(() => editor.text.delete(0, editor.text.length))
    await editor.type("bug")
    await app.documents.settle()
    expect((await app.documents.open(address)).problem).toMatch(/could not be saved/)
    expect(app.logged.map(({ message }) => message)).toContain("The value of a shared document could not be written.")
    expect(await app.collections["strict"].findOne({ where: { id } })).toMatchObject({ body: "a" })
  })

  test("that a hook changes comes back as an edit of the document, once", async () => {
    const tidy = collection("tidy")
      .fields(({ f }) => ({ body: f.textarea().collaborative() }))
      .hooks({ beforeChange: ({ data }) => ({ ...data, body: String(data["body"]).replaceAll("teh", "the") }) })
      .options({ versions: true })
    const app = await documentApp({ resources: [tidy] })
    const { id } = await app.collections["tidy"].create({ body: "In " })
    const editor = await app.edit(app.address("tidy", id), EVA)

    await editor.type("teh end")
    await app.documents.settle()
    await app.documents.settle()

    expect(await app.collections["tidy"].findOne({ where: { id } })).toMatchObject({ body: "In the end" })
    expect(await editor.readText()).toBe("In the end")
    expect(await app.documents.updatesSince(editor.id, 0)).toMatchObject({ seq: 2 })
    expect(await app.collections["tidy"].findVersions({ id })).toHaveLength(2)
  })

  test("is written with the session of the last editor, which hooks see", async () => {
    const seen: unknown[] = []
    const watched = collection("watched")
      .fields(({ f }) => ({ body: f.textarea().collaborative() }))
      .hooks({ afterChange: ({ session }) => void seen.push(session?.user) })
    const database = await documentDatabase()
    const one = await documentApp({ database, resources: [watched] })
    const { id } = await one.collections["watched"].create({ body: "" })
    const editor = await one.edit(one.address("watched", id), EVA)
    await editor.type("a")
    await one.documents.settle()

    // Another process finds the value of one that was killed unwritten, and knows only the id of the editor.
    await one.opened.app.stop()
    const update = Buffer.from(editor.change(() => editor.text.insert(1, "b")))
    await database.query(
      `insert into "_kit_document_updates" (document, seq, update, user_id) values ($1, 2, $2, 'eva')`,
      [editor.id, update],
    )
    await database.query(`update "_kit_documents" set seq = 2, edited_by = 'eva', edited_at = now()`)
    const two = await documentApp({ database, resources: [watched] })
    await two.documents.settle()

    expect(seen).toEqual([undefined, EVA.user, { id: "eva", role: "loaded" }])
    expect(await two.collections["watched"].findOne({ where: { id } })).toMatchObject({ body: "ab" })
  })

  test("is not written again if nothing has changed", async () => {
    const { app, id, editor } = await openNote()

    await editor.type("x")
    await editor.send(() => editor.text.delete(5, 1))
    await app.documents.settle()

    expect(await app.collections["notes"].findVersions({ id })).toHaveLength(1)
    const { rows } = await app.opened.database.query({
      text: `select 1 from "_kit_documents" where seq > value_seq`,
      values: [],
    })
    expect(rows).toHaveLength(0)
  })

  test("of a localized field belongs to one locale, without its fallback", async () => {
    const pages = collection("pages").fields(({ f }) => ({ body: f.textarea().localized().collaborative() }))
    const config = { locales: { default: "en", all: ["en", "sk"] } }
    const app = await documentApp({ resources: [pages], config })
    const { id } = await app.collections["pages"].create({ body: "Hello" })
    const editor = await app.edit(app.address("pages", id, { locale: "sk" }), EVA)

    expect(editor.text.toString()).toBe("")
    await editor.type("Ahoj")
    await app.documents.settle()

    const read = (locale: string) => app.collections["pages"].findOne({ where: { id }, locale })
    expect([await read("en"), await read("sk")]).toMatchObject([{ body: "Hello" }, { body: "Ahoj" }])
    const english = await app.edit(app.address("pages", id, { locale: "en" }))
    expect(english.text.toString()).toBe("Hello")
    expect(english.id).not.toBe(editor.id)
  })

  test("of a global creates its row, if there is none yet", async () => {
    const site = global("site")
      .fields(({ f }) => ({ notice: f.textarea().collaborative(), name: f.text() }))
      .options({ versions: true })
    const app = await documentApp({ resources: [site] })
    const editor = await app.edit(app.address("site"), EVA)

    await editor.type("Closed today")
    await app.documents.settle()
    expect(await app.globals["site"].get()).toMatchObject({ notice: "Closed today" })

    await app.globals["site"].update({ notice: "Closed on Friday" })
    await app.documents.open(app.address("site"))
    expect(await editor.readText()).toBe("Closed on Friday")
    await editor.type(".")
    await app.documents.settle()
    expect(await app.globals["site"].get()).toMatchObject({ notice: "Closed on Friday." })
    expect(await app.globals["site"].findVersions()).toMatchObject([
      { versionAuthors: ["eva"] },
      { versionAuthors: [] },
      { versionAuthors: ["eva"] },
    ])
  })

  test("of a record with stages is the value of its working copy", async () => {
    const posts = collection("posts")
      .fields(({ f }) => ({ body: f.textarea().collaborative() }))
      .options({ workflow: true, versions: true })
    const app = await documentApp({ resources: [posts] })
    const { id } = await app.collections["posts"].create({ body: "First" })
    await app.collections["posts"].transitionStage({ id, stage: "published" })
    const editor = await app.edit(app.address("posts", id), EVA)

    await editor.type(" draft")
    await app.documents.settle()

    const read = (stage?: string) => app.collections["posts"].findOne({ where: { id }, ...(stage && { stage }) })
    expect(await read()).toMatchObject({ body: "First draft" })
    expect(await read("published")).toMatchObject({ body: "First" })
    expect((await app.collections["posts"].findVersions({ id }))[0]).toMatchObject({ versionAuthors: ["eva"] })
    // The removal of a stage copy is not the removal of the record.
    await app.opened.database.query({ text: `delete from "posts.stage.published"`, values: [] })
    expect(await app.documents.updatesSince(editor.id, 0)).toMatchObject({ seq: 1 })
  })
})
