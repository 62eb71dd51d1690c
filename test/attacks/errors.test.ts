import { inspect } from "node:util"
import { collection, type Session } from "kit"
import { describe, expect, test } from "vitest"
import { attackWorld, SECRETS } from "../support/worlds/attack-world.ts"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const LEAK = "postgres://root:swordfish@db.internal:5432/prod select * from users at /srv/app/secret.ts:7:3"
const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a" } }

function explode(): never {
  throw new Error(LEAK)
}

const bombs = collection("bombs")
  .fields(({ f }) => ({
    name: f.text(),
    validated: f.text().validate(explode),
    rejected: f.text().validate(() => Promise.reject(new Error(LEAK))),
    coded: f.text().validate(() => {
      throw Object.assign(new Error(LEAK), { code: "ENOENT" })
    }),
    checked: f.text().access({ update: explode }),
  }))
  .access({ read: true, create: true, update: true, delete: explode })
const defaults = collection("defaults")
  .fields(({ f }) => ({ made: f.text().default(explode) }))
  .access({ create: true })

function checkSilence(app: TestApp, answer: { body: any; headers: Headers }): void {
  const shown = JSON.stringify(answer.body) + JSON.stringify([...answer.headers])
  expect(shown).not.toMatch(/swordfish|select |postgres|\.ts|node_modules|column|stack|\bat \w+/i)
  const cookie = sessions.sign(ann).split("=")[1] ?? ""
  expect(inspect(app.logged, { depth: 10 })).not.toContain(cookie)
}

describe("a failure of the server", () => {
  test.each([
    ["a check that throws", "POST", "/bombs", '{"validated":"x"}'],
    ["a check that rejects", "POST", "/bombs", '{"rejected":"x"}'],
    ["a check that fails to read a file", "POST", "/bombs", '{"coded":"x"}'],
    ["a default that throws", "POST", "/defaults", "{}"],
  ])("%s is a 500 with the request id and nothing else", async (_name, method, path, body) => {
    await using app = await testApp({ resources: [bombs, defaults] })

    const answer = await app.fetch(path, { method, body, session: ann })

    expect(answer.status).toBe(500)
    expect(Object.keys(answer.body.error)).toEqual(["code", "message", "requestId"])
    expect(answer.body.error.code).toBe("INTERNAL_SERVER_ERROR")
    expect(app.logged).toMatchObject([
      {
        message: "A request failed.",
        fields: { requestId: answer.body.error.requestId, call: expect.stringMatching(`^${method} /(bombs|defaults)`) },
      },
    ])
    expect(inspect(app.logged, { depth: 10 })).toContain("swordfish")
    checkSilence(app, answer)
  })

  test("a rule that throws denies, and says nothing of the reason", async () => {
    await using app = await testApp({ resources: [bombs] })
    const bomb = await app.app.system.collections["bombs"]?.create({ name: "x" })
    const path = `/bombs/${bomb?.["id"]}`

    const deleted = await app.fetch(path, { method: "DELETE", session: ann })
    const changed = await app.fetch(path, { method: "PATCH", body: '{"checked":"x"}', session: ann })

    expect([deleted.status, changed.status]).toEqual([403, 403])
    for (const answer of [deleted, changed]) checkSilence(app, answer)
  })

  test("a session provider that throws is a 500, and nobody is taken for somebody", async () => {
    await using app = await testApp({ resources: [bombs], config: { sessions: { read: explode } } })

    const answer = await app.fetch("/bombs")

    expect(answer.status).toBe(500)
    checkSilence(app, answer)
  })
})

describe("a failure of the database", () => {
  test.each([
    ["a column is gone", "alter table posts rename column body to gone"],
    ["a column has another type", "alter table posts alter column views type point using null"],
    ["a table is gone", "alter table posts rename to gone"],
  ])("%s, and the answer does not tell", async (_name, sabotage) => {
    await using world = await attackWorld()
    await world.app.database.query(sabotage)

    const read = await world.app.fetch("/posts?where[views][gt]=1&where[body]=x")
    const write = await world.app.fetch("/posts", {
      method: "POST",
      body: '{"title":"x","views":1,"body":"x"}',
      session: world.alice,
    })

    expect(read.status).toBe(503)
    for (const answer of [read, write]) checkSilence(world.app, answer)
    expect((await world.app.fetch("/health")).status).toBe(200)
  })

  test("a row that the database refuses does not end up in the log", async () => {
    await using world = await attackWorld()
    await world.app.database.query(`alter table members add check (name <> 'Mallory')`)
    const path = `/members/${world.alice.user.id}`

    const answer = await world.app.fetch(path, { method: "PATCH", body: '{"name":"Mallory"}', session: world.alice })

    expect(answer.status).toBe(500)
    checkSilence(world.app, answer)
    const logged = inspect(world.app.logged, { depth: 10 })
    expect(Object.values(SECRETS).filter((secret) => logged.includes(secret))).toEqual([])
  })
})
