// @module-tag not-about-connections

import type { Session } from "kit"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type AttackWorld, apartFromName, attackWorld, SECRETS } from "../support/worlds/attack-world.ts"

let world: AttackWorld
beforeAll(async () => {
  world = await attackWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Caller = "anonymous" | "alice" | "admin"

function sessionOf(caller: Caller): Session | undefined {
  return caller === "anonymous" ? undefined : world[caller]
}

// Every position in a request that can name a field of the requested collection.
const PLACES = [
  ["where, bare", "?where[NAME]=a", "where.NAME"],
  ["where, operator", "?where[NAME][startsWith]=a", "where.NAME"],
  ["where, null", "?where[NAME][isNull]=true", "where.NAME"],
  ["where, list", "?where[NAME][in][]=a", "where.NAME"],
  ["where, unknown operator", "?where[NAME][nope]=a", "where.NAME"],
  ["NOT", "?where[NOT][NAME]=a", "where.NOT.NAME"],
  ["AND", "?where[AND][0][NAME]=a", "where.AND.0.NAME"],
  ["OR", "?where[OR][0][title]=x&where[OR][1][NAME]=a", "where.OR.1.NAME"],
  ["count", "/count?where[NAME][eq]=a", "where.NAME"],
  ["order", "?orderBy[NAME]=asc", "orderBy.NAME"],
  ["order in a list", "?orderBy[0][NAME]=desc", "orderBy.0.NAME"],
  ["columns", "?columns[NAME]=true", "columns.NAME"],
  ["columns left out", "?columns[NAME]=false", "columns.NAME"],
  ["relations", "?with[NAME]=true", "with.NAME"],
  ["groups", "?groupBy=NAME", "groupBy"],
  ["groups with options", "?groupBy[field]=NAME&groupBy[docs]=0", "groupBy.field"],
] as const

// Every position in an aggregate that can name a field.
const COMPUTED = [
  ["a sum", "sum[NAME]=true", "sum.NAME"],
  ["an average", "avg[NAME]=true", "avg.NAME"],
  ["a least value", "min[NAME]=true", "min.NAME"],
  ["a greatest value", "max[NAME]=true", "max.NAME"],
  ["the filter", "count=true&where[NAME]=a", "where.NAME"],
  ["the groups", "count=true&groupBy=NAME", "groupBy"],
  ["a list of groups", "count=true&groupBy[0]=title&groupBy[1]=NAME", "groupBy.1"],
  ["periods", "count=true&groupBy[field]=NAME&groupBy[by]=day", "groupBy.field"],
  ["a condition", "groupBy=title&having[sum][NAME]=1", "having.sum.NAME"],
  ["a condition with an unknown operator", "groupBy=title&having[max][NAME][nope]=1", "having.max.NAME"],
  ["the order", "groupBy=title&orderBy[min][NAME]=asc", "orderBy.min.NAME"],
  ["the order of keys", "groupBy=title&orderBy[NAME]=asc", "orderBy.NAME"],
] as const

// Every position that can name a field of the collection that `author` refers to.
const AUTHOR_PLACES = [
  ["is", "?where[author][is][NAME][like]=a%25", "where.author.is.NAME"],
  ["isNot", "?where[author][isNot][NAME]=a", "where.author.isNot.NAME"],
  ["nested bare", "?where[author][NAME]=a", "where.author.NAME"],
  ["inside NOT", "?where[NOT][author][is][NAME]=a", "where.NOT.author.is.NAME"],
  ["count", "/count?where[author][is][NAME]=a", "where.author.is.NAME"],
  ["order", "?orderBy[author][NAME]=asc", "orderBy.author.NAME"],
  ["columns of a relation", "?with[author][columns][NAME]=true", "with.author.columns.NAME"],
  ["filter of a relation", "?with[author][where][NAME]=a", "with.author.where.NAME"],
  ["relation of a relation", "?with[author][with][NAME]=true", "with.author.with.NAME"],
] as const

async function refusedAlike(request: { path: string; caller: Caller; hidden: string; at: string }): Promise<void> {
  const unknown = "x".repeat(request.hidden.length)
  const send = (name: string) =>
    world.attack({ path: request.path.replaceAll("NAME", name), as: sessionOf(request.caller), withinMs: 50 })

  const hidden = await send(request.hidden)
  const missing = await send(unknown)

  expect(hidden).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
  expect(hidden.body.error.fieldErrors[0].path).toBe(request.at.replaceAll("NAME", request.hidden))
  expect(apartFromName(hidden, request.hidden)).toEqual(apartFromName(missing, unknown))
}

describe("a hidden field answers as a field that does not exist", () => {
  test.each(PLACES)("in %s", async (_place, query, at) => {
    for (const caller of ["anonymous", "alice", "admin"] as const) {
      await refusedAlike({ path: `/posts${query}`, caller, hidden: "secretNote", at })
    }
  })

  test.each(COMPUTED)("in %s of an aggregate", async (_place, query, at) => {
    for (const caller of ["anonymous", "alice", "admin"] as const) {
      await refusedAlike({ path: `/_kit/aggregate/posts?${query}`, caller, hidden: "secretNote", at })
    }
  })

  test("in the columns of one record and of a global", async () => {
    const path = `/posts/${world.ids.alicesPost}?columns[NAME]=true`

    await refusedAlike({ path, caller: "alice", hidden: "secretNote", at: "columns.NAME" })
    await refusedAlike({
      path: "/globals/settings?columns[NAME]=true",
      caller: "admin",
      hidden: "apiKey",
      at: "columns.NAME",
    })
  })
})

describe("a field of a related record answers as one that does not exist", () => {
  test.each(AUTHOR_PLACES)("in %s, where a rule or `hidden` forbids reading it", async (_place, query, at) => {
    for (const hidden of ["resetToken", "passwordHash"]) {
      await refusedAlike({ path: `/posts${query}`, caller: "alice", hidden, at })
    }
  })

  test.each(AUTHOR_PLACES)("in %s, where the whole collection is closed to the caller", async (_place, query, at) => {
    for (const hidden of ["name", "resetToken", "createdAt"]) {
      await refusedAlike({ path: `/posts${query}`, caller: "anonymous", hidden, at })
    }
  })

  test.each(["where[audit][is][NAME][startsWith]=10.", "where[audit][NAME]=x", "orderBy[audit][NAME]=asc"])(
    "in %s, where nobody may read the collection, not even the admin",
    async (query) => {
      const at = query
        .replace(/\[startsWith\].*|=.*/, "")
        .replaceAll("][", ".")
        .replaceAll("[", ".")
        .replaceAll("]", "")

      await refusedAlike({ path: `/posts?${query}`, caller: "admin", hidden: "ip", at })
    },
  )

  test("the table of the related records is not even touched", async () => {
    const holder = new pg.Client({ connectionString: world.app.database.url })
    await holder.connect()
    await holder.query("begin; lock table members in access exclusive mode")

    const answer = await world.app.fetch("/posts?where[author][is][resetToken][like]=a%25")

    await holder.end()
    expect(answer.status).toBe(400)
  })
})

describe("options that could show a field in another way", () => {
  test.each([
    "groupBy=secretNote",
    "groupBy=author.passwordHash",
    "groupBy[field]=secretNote",
    "facets[0][field]=secretNote",
    "includeDeleted=true",
    "stage=draft",
    "distinct=secretNote",
    "select=secretNote",
    "fields=secretNote",
  ])("%s is refused", async (query) => {
    const answer = await world.attack({ path: `/posts?${query}`, as: world.admin })

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
    expect(answer.body.groups).toBeUndefined()
  })

  test("a search for text that only a hidden field holds finds nothing", async () => {
    const found = await world.attack({ path: `/posts?search=${SECRETS.note.slice(0, 8)}`, as: world.admin })
    const counted = await world.attack({ path: `/posts/count?search=${SECRETS.note.slice(0, 8)}`, as: world.admin })
    const readable = await world.attack({ path: "/posts?search=lorem", as: world.admin })

    expect([found.body.docs, found.body.totalDocs, counted.body.count]).toEqual([[], 0, 0])
    expect(readable.body.totalDocs).toBe(2)
  })

  test.each([
    "where[t1.password]=1",
    'where["users"."email"]=1',
    "where[author->>x]=1",
    "where[posts.title]=1",
    "where[author.name]=1",
  ])("%s is no field", async (query) => {
    const answer = await world.attack({ path: `/posts?${query}`, as: world.admin, withinMs: 50 })

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
  })
})

describe("suggestions", () => {
  test.each([
    ["/posts?where[secretNot]=x", "secretNote"],
    ["/posts?orderBy[secretNot]=asc", "secretNote"],
    ["/posts?columns[secretNot]=true", "secretNote"],
    ["/members?where[resetTokn]=x", "resetToken"],
    ["/posts?where[author][is][passwordHas]=x", "passwordHash"],
    ["/globals/settings?columns[apiKe]=true", "apiKey"],
  ])("%s does not offer what the caller may not read", async (path, name) => {
    const answer = await world.attack({ path, as: world.alice })

    expect(answer.status).toBe(400)
    expect(answer.text).not.toContain(name)
  })

  test.each([
    ["POST", "/posts", '{"title":"x","secretNot":"y"}', "secretNote"],
    ["PATCH", "/members/ALICE", '{"resetTokn":"y"}', "resetToken"],
    ["PATCH", "/members/ALICE", '{"passwordHas":"y"}', "passwordHash"],
  ])("%s %s %s does not offer what the caller may not read", async (method, path, body, name) => {
    const answer = await world.attack({
      method,
      path: path.replace("ALICE", world.alice.user.id),
      body,
      as: world.alice,
    })

    expect(answer.status).toBe(400)
    expect(answer.text).not.toContain(name)
  })
})
