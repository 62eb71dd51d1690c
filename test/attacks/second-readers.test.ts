import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type AttackWorld, attackWorld, SECRETS } from "../support/worlds/attack-world.ts"

let world: AttackWorld
beforeAll(async () => {
  world = await attackWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

describe("relations", () => {
  test("a related record that the caller may not read is answered as null, their own is filled", async () => {
    const answer = await world.attack({ path: "/posts?with[author]=true&orderBy[title]=asc", as: world.alice })

    const [own, foreign] = answer.body.docs
    expect(own.author).toMatchObject({ id: world.alice.user.id, name: "Alice" })
    expect(Object.keys(own.author).sort()).toEqual(["createdAt", "id", "name", "role", "updatedAt"])
    expect(foreign.author).toBeNull()
  })

  test("an anonymous caller gets null for records of closed collections, and can name nothing of them", async () => {
    const hydrated = await world.attack({ path: "/posts?with[author]=true&with[audit]=true" })
    const columns = await world.attack({ path: "/posts?with[author][columns][id]=true" })
    const filter = await world.attack({ path: "/posts?with[author][where][id][isNotNull]=true" })

    expect(hydrated.body.docs).toMatchObject([
      { author: null, audit: null },
      { author: null, audit: null },
    ])
    expect([columns.status, filter.status]).toEqual([400, 400])
  })

  test("a record by its id and a global follow the same rules", async () => {
    const post = await world.attack({
      path: `/posts/${world.ids.bobsPost}?with[author]=true&with[audit]=true`,
      as: world.alice,
    })
    const settings = await world.attack({ path: "/globals/settings" })

    expect(post.body).toMatchObject({ title: "Two", author: null, audit: null })
    expect(Object.keys(settings.body)).toEqual(["siteName", "createdAt", "updatedAt"])
  })
})

// Changes directly in the database values that no caller below may read; an answer that changes with them leaks them.
const CHANGE_SECRETS = `
  update posts set "secretNote" = 'aaa';
  update members set "passwordHash" = 'aaa', "resetToken" = 'aaa';
  update members set name = 'Aaron' where name = 'Bob';
  update audit set ip = '1.1.1.1';
  update notes set text = 'aaa' where text = '${SECRETS.bobsNote}';
  update global_settings set "apiKey" = 'aaa'`

describe("answers do not depend on what the caller may not read", () => {
  const questions = [
    "/posts?orderBy[author][name]=asc",
    "/posts?orderBy[author][name]=desc&with[author]=true",
    "/posts?groupBy=author&orderBy[author][name]=asc&with[author]=true",
    "/posts?where[author][is][name][startsWith]=A",
    "/posts?where[author][isNot][name][startsWith]=A",
    "/posts?where[NOT][author][is][name]=Bob",
    "/posts?where[OR][0][author][is][name]=Bob&where[OR][1][title]=One",
    "/posts?where[author][name][gt]=B",
    "/posts/count?where[author][is][name]=Bob",
    "/posts/count?where[author][is][name]=Aaron",
    "/posts?with[author][where][name]=Bob",
    "/posts?search=aaa",
    "/posts?search=sesame",
    "/members",
    "/members?orderBy[name]=asc",
    "/members/count",
    "/members?search=a",
    "/notes?search=aaa",
    "/notes",
    "/notes/count",
    "/audit",
    "/globals/settings",
  ]

  test("for any of many questions, asked before and after a change", async () => {
    await using own = await attackWorld()
    const ask = async (path: string) => {
      const asAlice = await own.attack({ path, as: own.alice })
      const anonymous = await own.attack({ path })
      return [path, asAlice.status, withoutRequestId(asAlice.body), anonymous.status, withoutRequestId(anonymous.body)]
    }

    const before = []
    for (const path of questions) before.push(await ask(path))
    await own.app.database.query(CHANGE_SECRETS)
    const after = []
    for (const path of questions) after.push(await ask(path))

    expect(after).toEqual(before)
  })
})

function withoutRequestId(body: any): unknown {
  return body?.error ? { ...body, error: { ...body.error, requestId: undefined } } : body
}

describe("answers of writes", () => {
  test("leave out fields that the caller may write but not read", async () => {
    const path = `/members/${world.alice.user.id}`
    const body = '{"name":"Alicia","resetToken":"mine-to-choose"}'

    const answer = await world.attack({ method: "PATCH", path, body, as: world.alice })

    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ name: "Alicia" })
    expect(answer.text).not.toContain("mine-to-choose")
    const rows = await world.app.database.query(`select "resetToken" from members where name = 'Alicia'`)
    expect(rows).toEqual([{ resetToken: "mine-to-choose" }])
  })

  test("show neither hidden fields nor related records, in create, update and delete alike", async () => {
    const body = '{"title":"Three"}'
    const created = await world.attack({ method: "POST", path: "/posts", body, as: world.alice })
    const path = `/posts/${created.body.id}`
    await world.app.database.query(`update posts set "secretNote" = '${SECRETS.note}', audit = '${world.ids.audit}'`)

    const changed = await world.attack({ method: "PATCH", path, body: '{"views":1}', as: world.alice })
    const deleted = await world.attack({ method: "DELETE", path, as: world.admin })

    const shown = ["id", "title", "body", "meta", "views", "publishedAt", "author", "audit", "createdAt", "updatedAt"]
    expect([created.status, changed.status, deleted.status]).toEqual([201, 200, 200])
    expect(Object.keys(created.body)).toEqual(shown)
    expect(Object.keys(changed.body)).toEqual(shown)
    expect(Object.keys(deleted.body.data)).toEqual(shown)
  })
})
