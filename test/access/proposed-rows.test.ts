import { randomUUID } from "node:crypto"
import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const eva: Session = { user: { id: "eva" } }
const mallory: Session = { user: { id: "mallory" } }
type Rule = { readonly session: Session | null }
const me = ({ session }: Rule) => session?.user.id ?? "nobody"
const open = { read: true, create: true, update: true, delete: true } as const

const ownsOrg = (rule: Rule) => ({ org: { is: { memberships: { some: { user: me(rule), role: "owner" } } } } })
const inMyTeam = (rule: Rule) => ({ teams: { some: { owner: me(rule) } } })

const resources = [
  collection("orgs")
    .fields(({ f }) => ({ memberships: f.relation("memberships").hasMany({ via: "org" }) }))
    .access(open),
  collection("memberships")
    .fields(({ f }) => ({ org: f.relation("orgs"), user: f.text(), role: f.text() }))
    .access({ ...open, create: ownsOrg, update: ownsOrg }),
  collection("projects")
    .fields(({ f }) => ({ name: f.text(), teams: f.relation("teams").manyToMany() }))
    .access({ ...open, create: inMyTeam, update: inMyTeam }),
  collection("teams")
    .fields(({ f }) => ({ owner: f.text(), slug: f.text().unique(), isHidden: f.boolean() }))
    .access({ ...open, read: () => ({ isHidden: { ne: true } }) }),
]

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources })
})
afterAll(() => app[Symbol.asyncDispose]())
const as = (session: Session) => app.client(session).collections
const system = () => app.app.system.collections as Record<string, any>

test("the links of a written record count as they will be, and records that are created with it do not", async () => {
  const own = await system()["teams"].create({ owner: "eva", slug: "own" })
  const other = await system()["teams"].create({ owner: "bob", slug: "other" })
  const refused = { status: 403 }
  const { projects } = as(eva)

  const { id } = await projects.create({ teams: { connect: [own.id] } })
  await projects.create({ teams: { connectOrCreate: [{ where: { slug: "own" }, create: {} }] } })
  await expect(projects.create({ teams: { connect: [other.id] } })).rejects.toMatchObject(refused)
  await expect(projects.create({ teams: { create: [{ owner: "eva" }] } })).rejects.toMatchObject(refused)
  await expect(
    projects.create({ teams: { connectOrCreate: [{ where: { slug: "new" }, create: { owner: "eva" } }] } }),
  ).rejects.toMatchObject(refused)
  await projects.updateById({ id, data: { name: "z", teams: { connect: [other.id] } } })
  await expect(projects.updateById({ id, data: { teams: [other.id] } })).rejects.toMatchObject(refused)
  await expect(projects.updateById({ id, data: { teams: { disconnect: [own.id] } } })).rejects.toMatchObject(refused)
  await projects.updateMany({ where: { id }, data: { teams: { disconnect: [other.id] } } })

  expect((await projects.findOne({ where: { id }, with: { teams: true } })).teams).toMatchObject([{ id: own.id }])
})

test("a hidden record that is linked gets the answer of a missing one, whether it satisfies the rule or not", async () => {
  const hidden = await system()["teams"].create({ owner: "eva", isHidden: true })
  const foreign = await system()["teams"].create({ owner: "bob", isHidden: true })
  const own = await system()["teams"].create({ owner: "eva" })
  const answers = await Promise.all(
    [hidden.id, foreign.id, randomUUID()].flatMap((id) =>
      [[id], [own.id, id]].map((teams) =>
        app.fetch("/projects", { session: eva, method: "POST", body: JSON.stringify({ teams }) }),
      ),
    ),
  )

  for (const { status, body } of answers) {
    expect(status).toBe(400)
    expect(body.error.fieldErrors).toEqual(answers[0]?.body.error.fieldErrors)
  }
})

test("a refusal says so if only the record itself would satisfy the rule, to the caller and in the log", async () => {
  const { id: org } = await system()["orgs"].create({})
  const takeOver = (user: string) => as(mallory)["memberships"].create({ org, user, role: "owner" })

  await expect(takeOver("mallory")).rejects.toThrow(
    "You may not create such a record. The create rule would only be satisfied by this very record.",
  )
  await expect(takeOver("bob")).rejects.toThrow(/^You may not create such a record\.$/)

  const warnings = app.logged.filter(({ message }) => message.startsWith("A write was refused"))
  expect(warnings).toMatchObject([
    { message: 'A write was refused that satisfies the create rule of "memberships" by itself.' },
  ])
})
