import { describe, expect, test } from "vitest"
import { type Collection, collection } from "../../src/schema/builders/collection.ts"
import type { UploadOptions } from "../../src/schema/builders/upload-options.ts"
import { users } from "../../src/schema/builders/users.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"

const media = collection("media").upload()
const teams = collection("teams").fields(({ f }) => ({ name: f.text() }))

function compile(...builders: { readonly definition: Collection["definition"] }[]) {
  return compileSchema(
    builders.map(({ definition }) => ({ file: `${definition.name}.ts`, definition })),
    { basePath: "/api" },
  )
}

function mistakesOf(...builders: { readonly definition: Collection["definition"] }[]): readonly string[] {
  const compiled = compile(...builders)
  return "mistakes" in compiled ? compiled.mistakes.map(({ message }) => message) : []
}

describe("a collection of files", () => {
  test("needs no fields of its own, and takes 50 MB of every type unless it says otherwise", () => {
    const compiled = compile(media)
    if ("mistakes" in compiled) throw new Error("There are mistakes.")
    const resource = compiled.schema.collections.get("media")

    expect([...(resource?.fields.keys() ?? [])]).toEqual(
      "id key filename mimeType size checksum width height visibility url createdAt updatedAt".split(" "),
    )
    expect(resource?.upload).toMatchObject({ maxBytes: 50 * 1024 * 1024, types: undefined })
    expect(resource?.title).toBe("filename")
    expect(resource?.columns.map(({ name }) => name)).not.toContain("url")
  })

  test("may index and search what the server keeps", () => {
    const indexed = collection("media")
      .fields(({ f }) => ({ megabytes: f.virtual(f.number(), '"size" / 1000000') }))
      .upload({ types: ["image/*", "application/pdf"], maxSize: 1, visibility: "private" })
      .indexes([{ fields: ["mimeType", "size"] }])

    expect(mistakesOf(indexed)).toEqual([])
  })

  test.each<[unknown, string]>([
    [{ maxSize: 0 }, "maxSize 0. Give a number of bytes"],
    [{ maxSize: 1.5 }, "maxSize 1.5"],
    [{ maxSize: "10 MB" }, "maxSize 10 MB"],
    [{ types: [] }, 'Write types: ["image/*"]'],
    [{ types: "image/*" }, 'Write types: ["image/*"]'],
    [{ types: ["picture/*"] }, 'the type "picture/*", which is never detected in a file'],
    [{ types: ["image/jpg"] }, 'Did you mean "image/jpeg"?'],
    [{ types: [7] }, 'the type "7"'],
    [{ visibility: "secret" }, 'the visibility "secret". Use one of public, private.'],
    [{ maxsize: 5 }, 'no option "maxsize". Did you mean "maxSize"?'],
  ])("refuses %j", (options, message) => {
    // As an author without a compiler may write it.
    const mistakes = mistakesOf(collection("media").upload(options as UploadOptions))

    expect(mistakes).toEqual([expect.stringContaining(message)])
  })

  test("refuses fields that are called like those of the file", () => {
    const taken = collection("media")
      .fields(({ f }) => ({ key: f.text(), url: f.url(), alt: f.text(), path: f.text() }))
      .upload()

    expect(mistakesOf(taken)).toEqual([
      expect.stringContaining('field "key": the server stores a field of this name for each uploaded file'),
      expect.stringContaining('field "url"'),
      expect.stringContaining('field "path": an upload sends something else under that name'),
    ])
  })

  test("has ids of the server's", () => {
    const given = collection("media").upload().options({ id: "client" })

    expect(mistakesOf(given)).toEqual([expect.stringContaining("the server generates the ids of files")])
  })

  test("is no collection of users, and rules for files need files", () => {
    expect(mistakesOf(users().upload())).toEqual([expect.stringContaining("users have no files of their own")])
    expect(mistakesOf(teams.access({ upload: true, serve: true }))).toEqual([
      expect.stringContaining('rule "upload", but no files'),
      expect.stringContaining('rule "serve", but no files'),
    ])
  })
})

describe("f.upload(target)", () => {
  const withCover = (target: string) => collection("articles").fields(({ f }) => ({ cover: f.upload(target) }))

  test("points to a collection of files", () => {
    expect(mistakesOf(media, withCover("media"))).toEqual([])
  })

  test("is refused for what is no collection, and for one without files", () => {
    expect(mistakesOf(media, withCover("medai"))).toEqual([
      expect.stringContaining(
        'field "cover" points to collection "medai", which does not exist. Did you mean "media"?',
      ),
    ])
    expect(mistakesOf(media, teams, withCover("teams"))).toEqual([
      expect.stringMatching(/field "cover" points to collection "teams", which has no files\..*media.*Add \.upload/),
    ])
  })

  test("is refused likewise where it leads to many", () => {
    const album = collection("albums").fields(({ f }) => ({ photos: f.upload("teams").manyToMany() }))

    expect(mistakesOf(media, teams, album)).toEqual([expect.stringContaining("which has no files")])
  })

  test("cannot be required and emptied", () => {
    const cover = collection("articles").fields(({ f }) => ({
      cover: f.upload("media").required().onDelete("setNull"),
    }))

    expect(mistakesOf(media, cover)).toEqual([expect.stringContaining('cannot have .onDelete("setNull")')])
  })
})
