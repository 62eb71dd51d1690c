// @module-tag not-about-connections

import { collection, type KitConfig, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const teams = collection("teams")
  .fields(({ f }) => ({ name: f.text().required(), parent: f.relation("teams") }))
  .access({ read: true })

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required(), team: f.relation("teams"), salary: f.number().hidden() }))
  .access({ read: ({ session }) => session?.user.role === "boss" || { name: { ne: "Hidden" } } })

const vault = collection("vault").fields(({ f }) => ({ code: f.text() }))

const tasks = collection("tasks")
  .fields(({ f }) => ({ name: f.text().required(), owner: f.relation("people"), vault: f.relation("vault") }))
  .access({ read: true })

// These tests are about the depth that any filter supports, not about the limit for callers.
const DEEP: KitConfig = { limits: { filter: { hopsPerPath: 10 } } }

const boss: Session = { user: { id: "boss", role: "boss" } }

let app: TestApp
const ids: Record<string, string> = {}

beforeAll(async () => {
  app = await testApp({ resources: [teams, people, vault, tasks], config: DEEP })
  const { collections } = app.app.system
  const add = async (collectionName: string, key: string, data: Record<string, unknown>) => {
    const record = await collections[collectionName]?.create({ name: key, ...data })
    ids[key] = String(record?.["id"])
  }
  await add("teams", "Root", {})
  await add("teams", "Sport", { parent: ids["Root"] })
  await add("people", "Ann", { team: ids["Sport"], salary: 10 })
  await add("people", "Bob", { team: ids["Root"] })
  await add("people", "Cid", {})
  await add("people", "Hidden", { team: ids["Sport"] })
  await add("tasks", "a", { owner: ids["Ann"] })
  await add("tasks", "b", { owner: ids["Bob"] })
  await add("tasks", "c", { owner: ids["Cid"] })
  await add("tasks", "h", { owner: ids["Hidden"] })
  await add("tasks", "n", {})
})

afterAll(() => app[Symbol.asyncDispose]())

type Case = [query: string, where: Record<string, unknown>, expected: string]

// {Ann} stands for the id of Ann.
const cases: Case[] = [
  ["where[owner]={Ann}", { owner: "{Ann}" }, "a"],
  ["where[owner][eq]={Ann}", { owner: { eq: "{Ann}" } }, "a"],
  ["where[owner][ne]={Ann}", { owner: { ne: "{Ann}" } }, "b c h n"],
  ["where[owner][in][]={Ann}&where[owner][in][]={Bob}", { owner: { in: ["{Ann}", "{Bob}"] } }, "a b"],
  ["where[owner][in]=", { owner: { in: [] } }, ""],
  ["where[owner][notIn][]={Ann}", { owner: { notIn: ["{Ann}"] } }, "b c h n"],
  ["where[owner][notIn]=", { owner: { notIn: [] } }, "a b c h n"],
  ["where[owner][isNull]=true", { owner: null }, "n"],
  ["where[owner][isNull]=true", { owner: { is: null } }, "n"],
  ["where[owner][isNotNull]=true", { owner: { isNot: null } }, "a b c h"],
  ["where[owner][is][name]=Ann", { owner: { is: { name: "Ann" } } }, "a"],
  ["where[owner][name]=Ann", { owner: { name: "Ann" } }, "a"],
  ["where[owner][isNot][name]=Ann", { owner: { isNot: { name: "Ann" } } }, "b c h n"],
  ["where[NOT][owner][name]=Ann", { NOT: { owner: { name: "Ann" } } }, "b c h n"],
  ["where[owner][is][team][isNull]=true", { owner: { is: { team: null } } }, "c"],
  ["where[owner][team][name]=Sport", { owner: { team: { name: "Sport" } } }, "a h"],
  ["where[owner][is][team][is][parent][is][name]=Root", deep("is"), "a h"],
  ["where[owner][isNot][team][is][parent][is][name]=Root", deep("isNot"), "b c n"],
  ["where[owner]=", { owner: {} }, "a b c h"],
  ["where[owner][is]=", { owner: { is: {} } }, "a b c h"],
  ["where[owner][isNot]=", { owner: { isNot: {} } }, "n"],
  [
    "where[owner][is][OR][0][name]=Ann&where[owner][is][OR][1][team][isNull]=true",
    { owner: { is: { OR: [{ name: "Ann" }, { team: null }] } } },
    "a c",
  ],
  [
    "where[owner][is][name][startsWith]=b&where[owner][isNotNull]=true",
    { owner: { is: { name: { startsWith: "b" } }, isNotNull: true } },
    "b",
  ],
]

function deep(operator: "is" | "isNot") {
  return { owner: { [operator]: { team: { is: { parent: { is: { name: "Root" } } } } } } }
}

describe("a filter on a relation", () => {
  test.each(cases)("%s means the same in a query string and in process", async (query, where, expected) => {
    const overHttp = await app.fetch(`/tasks?${withIds(query)}&orderBy[name]=asc`, { session: boss })
    const inProcess = await app.app.system.collections["tasks"]?.find({
      where: JSON.parse(withIds(JSON.stringify(where))),
      orderBy: { name: "asc" },
    })

    expect(overHttp.body).toMatchObject({ totalDocs: namesOf(overHttp.body.docs).split(" ").filter(Boolean).length })
    expect(namesOf(overHttp.body.docs)).toBe(expected)
    expect(namesOf(inProcess?.docs)).toBe(expected)
  })

  test.each([
    ["where[owner][name]=Hidden", ""],
    ["where[owner][isNot][name]=Ann", "b c h n"],
    ["where[owner][is]=", "a b c"],
    ["where[owner][team][name]=Sport", "a"],
    ["where[vault][is]=", ""],
    ["where[vault][isNot]=", "a b c h n"],
  ])("%s does not tell anything about records that the caller may not read", async (query, expected) => {
    const answer = await app.fetch(`/tasks?${query}&orderBy[name]=asc`)

    expect(namesOf(answer.body.docs)).toBe(expected)
  })

  test.each([
    ["where[owner][is][nmae]=x", "where.owner.is.nmae", 'There is no field "nmae". Did you mean "name"?'],
    ["where[owner][nmae]=x", "where.owner.nmae", 'There is no field "nmae". Did you mean "name"?'],
    ["where[owner][is][salary]=1", "where.owner.is.salary", 'There is no field "salary".'],
    ["where[vault][is][code]=1", "where.vault.is.code", 'There is no field "code".'],
    ["where[owner][is][team][is][nam]=x", "where.owner.is.team.is.nam", "Did you mean"],
    ["where[owner]=x", "where.owner", "Expected the id of a record."],
    ["where[owner][in][]=x", "where.owner.in.0", "Expected the id of a record."],
    ["where[owner][is]=x", "where.owner.is", "Expected an object of conditions."],
    ["where[owner][is][]=x", "where.owner.is", "Expected an object of conditions."],
    ["where[owner][contains]=x", "where.owner.contains", 'There is no field "contains".'],
  ])("%s is refused with its path", async (query, path, message) => {
    const answer = await app.fetch(`/tasks?${query}`)

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
    expect(answer.body.error.fieldErrors).toEqual([{ path, message: expect.stringContaining(message) }])
  })
})

describe("the depth of a filter", () => {
  const nested = (levels: number, wrap: (inner: object) => object): object =>
    levels === 0 ? { name: "Root" } : wrap(nested(levels - 1, wrap))

  test.each([
    ["NOT", (inner: object) => ({ NOT: inner })],
    ["AND", (inner: object) => ({ AND: [inner] })],
    ["is", (inner: object) => ({ parent: { is: inner } })],
    ["a nested relation", (inner: object) => ({ parent: inner })],
  ])("is ten levels of %s, for the system and for everybody", async (_name, wrap) => {
    const count = (api: TestApp["app"]["system"], levels: number) =>
      api.collections["teams"]?.count({ where: { ...nested(levels, wrap) } })

    await expect(count(app.app.system, 10)).resolves.toBeTypeOf("number")
    await expect(count(app.app.as(null), 10)).resolves.toBeTypeOf("number")
    await expect(count(app.app.system, 11)).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
    await expect(count(app.app.as(null), 1000)).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
  })
})

test("a filter may lead through many collections, and each of them is asked for its rules", async () => {
  const names = Array.from({ length: 9 }, (_, index) => `level${index}`)
  const chain = names.map((name, index) =>
    collection(name)
      .fields(({ f }) => ({ name: f.text(), next: f.relation(names[index + 1] ?? name) }))
      .access({ read: true }),
  )
  await using deepApp = await testApp({ resources: chain, config: DEEP })
  const query = `where${"[next][is]".repeat(8)}[name]=x`

  const answer = await deepApp.fetch(`/level0?${query}`)

  expect(answer).toMatchObject({ status: 200, body: { docs: [] } })
})

function withIds(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_all, name) => ids[name] ?? "missing")
}

function namesOf(docs: readonly any[] | undefined): string {
  return (docs ?? []).map((doc) => doc.name).join(" ")
}
