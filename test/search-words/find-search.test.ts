// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const isEva = ({ session }: { session: Session | null }) => session?.user.id === "eva"

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.textarea(),
    keywords: f.text().hidden(),
    note: f.text().access({ read: isEva }),
    draft: f.text().access({ read: (context) => isEva(context) || { kind: { eq: "open" } } }),
    kind: f.select(["open", "closed"]),
  }))
  .title("title")
  .searchable({ fields: ["body", "keywords", "note", "draft"] })
  .access({ read: true, update: true })

const plain = collection("plain")
  .fields(({ f }) => ({ title: f.text().required() }))
  .title("title")
  .access({ read: true })

const eva: Session = { user: { id: "eva" } }
const bob: Session = { user: { id: "bob" } }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts, plain] })
  const { posts: all, plain: others } = app.app.system.collections
  await all?.create({ title: "Negotiations", body: "Running out of time", keywords: "treaty", kind: "open" })
  await all?.create({ title: "Time flies", note: "confidential", draft: "harvest", kind: "open" })
  await all?.create({ title: "Budget", body: "time and money", draft: "harvest", kind: "closed" })
  await others?.create({ title: "Renegotiations" })
})

afterAll(() => app[Symbol.asyncDispose]())

async function found(search: string, session: Session = bob, more: object = {}): Promise<string> {
  const { docs } = await app.client(session).collections["posts"].find({ search, orderBy: { title: "asc" }, ...more })
  return docs.map((doc: any) => doc.title).join(", ")
}

describe("the option search of find on a searchable collection", () => {
  test.each([
    ["every word must match", "time money ", "Budget"],
    ["in any form", "negotiate ran ", ""],
    ["in another form", "negotiating time ", "Negotiations"],
    ["the last word as a prefix", "time fl", "Time flies"],
    ["a prefix longer than a stem", "negotiat", "Negotiations"],
    ["no part of a word but its beginning", "gotiations", ""],
    ["no typos", "negotiatoins", ""],
    ["the syntax of a search", '"out of time" OR flies -budget', "Negotiations, Time flies"],
    ["only white space", "   ", "Budget, Negotiations, Time flies"],
    ["only punctuation", "?!", ""],
    ["a hidden field that was declared", "treaty", "Negotiations"],
  ])("%s", async (_name, search, expected) => {
    expect(await found(search)).toBe(expected)
  })

  test("keeps the requested order, and is a filter beside where", async () => {
    expect(await found("time", bob, { orderBy: { title: "desc" } })).toBe("Time flies, Negotiations, Budget")
    expect(await found("time", bob, { where: { kind: { eq: "closed" } } })).toBe("Budget")
  })

  test("finds a record by a field only where the caller may read the field", async () => {
    expect(await found("confidential", eva)).toBe("Time flies")
    expect(await found("confidential", bob)).toBe("")
    expect(await found("harvest", eva)).toBe("Budget, Time flies")
    expect(await found("harvest", bob)).toBe("Time flies")
    expect(await found("-harvest", bob)).toBe("Budget, Negotiations")
  })

  test("counts, groups and reads single records in the same way", async () => {
    const { posts: collectionOfPosts } = app.client(bob).collections
    const { docs } = await collectionOfPosts.find({ search: "harvest" })
    const [{ id }] = docs

    expect(await collectionOfPosts.count({ search: "harvest" })).toEqual(1)
    const { groups } = await collectionOfPosts.find({ search: "time", groupBy: "kind" })
    expect(groups.map(({ value, count }: any) => [value, count])).toEqual([
      ["closed", 1],
      ["open", 2],
    ])
    expect((await app.fetch(`/posts/${id}?search=harvest`)).status).toBe(200)
    expect((await app.fetch(`/posts/${id}?search=confidential`)).status).toBe(404)
  })

  test.each([
    ["U+0000", "a\0b"],
    ["half of a character", "a\ud800"],
    ["more than 500 characters", "a".repeat(501)],
  ])("refuses %s", async (_name, search) => {
    const finding = app.app.system.collections["posts"]?.find({ search })
    await expect(finding).rejects.toMatchObject({ code: "VALIDATION_ERROR", fieldErrors: [{ path: "search" }] })
  })

  test("still finds parts of the title in a collection that is not searchable", async () => {
    const { docs } = await app.client().collections["plain"].find({ search: "NEGOTIA" })
    expect(docs).toHaveLength(1)
  })
})
