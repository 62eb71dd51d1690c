import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const eva: Session = { user: { id: "eva" } }
const mallory: Session = { user: { id: "mallory" } }
type Rule = { readonly session: Session | null }
const me = ({ session }: Rule) => session?.user.id ?? "nobody"
const open = { read: true, create: true, update: true, delete: true } as const

const ownsOrg = (rule: Rule) => ({ org: { is: { memberships: { some: { user: me(rule), role: "owner" } } } } })
const orgs = collection("orgs")
  .fields(({ f }) => ({ name: f.text(), memberships: f.relation("memberships").hasMany({ via: "org" }) }))
  .access(open)
const memberships = collection("memberships")
  .fields(({ f }) => ({ org: f.relation("orgs"), user: f.text(), role: f.text(), note: f.text() }))
  .options({ softDelete: true, versions: true })
  .access({ ...open, create: ownsOrg, update: ownsOrg })
const projects = collection("projects")
  .fields(({ f }) => ({ name: f.text(), teams: f.relation("teams").manyToMany({ through: "teamProjects" }) }))
  .access({
    ...open,
    create: (rule: Rule) => ({ teams: { some: { owner: me(rule) } } }),
    update: (rule: Rule) => ({ teams: { some: { owner: me(rule) } } }),
  })
const teams = collection("teams")
  .fields(({ f }) => ({
    owner: f.text(),
    slug: f.text().unique(),
    projects: f.relation("projects").manyToMany({ through: "teamProjects" }),
  }))
  .access(open)

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [orgs, memberships, projects, teams] })
})
afterAll(() => app[Symbol.asyncDispose]())
const as = (session: Session) => app.client(session).collections
const system = () => app.app.system.collections as Record<string, any>

async function orgOf(user: string) {
  const { id } = await system()["orgs"].create({ name: "acme" })
  const membership = await system()["memberships"].create({ org: id, user, role: "owner" })
  return { org: id, membership: membership.id }
}
const refused = { status: 403 }

test("nobody makes themselves the owner of an organisation by the membership that they write", async () => {
  const { org } = await orgOf("eva")
  const own = await orgOf("mallory")

  const { memberships } = as(mallory)
  await expect(memberships.create({ org, user: "mallory", role: "owner" })).rejects.toMatchObject(refused)
  await expect(memberships.updateById({ id: own.membership, data: { org } })).rejects.toMatchObject(refused)
  await expect(memberships.updateMany({ where: { id: own.membership }, data: { org } })).rejects.toMatchObject(refused)
  await expect(memberships.updateBatch({ updates: [{ id: own.membership, data: { org } }] })).rejects.toMatchObject(
    refused,
  )

  expect(await system()["memberships"].count({ where: { org } })).toBe(1)
  await as(eva).memberships.create({ org, user: "mallory", role: "member" })
})

test("own links count as they will be", async () => {
  const team = await system()["teams"].create({ owner: "eva", slug: "a" })
  const other = await system()["teams"].create({ owner: "bob", slug: "b" })
  const { projects } = as(eva)

  const { id } = await projects.create({ name: "x", teams: { connect: [team.id] } })
  await projects.create({ name: "y", teams: { connectOrCreate: [{ where: { slug: "a" }, create: {} }] } })
  await expect(projects.create({ name: "x", teams: { connect: [other.id] } })).rejects.toMatchObject(refused)
  await expect(projects.create({ name: "x", teams: { create: [{ owner: "eva" }] } })).rejects.toMatchObject(refused)
  await projects.updateById({ id, data: { name: "z", teams: { connect: [other.id] } } })
  await expect(projects.updateById({ id, data: { teams: [other.id] } })).rejects.toMatchObject(refused)
  await projects.updateMany({ where: { id }, data: { teams: { disconnect: [other.id] } } })
})

test("a link that a rule of the other end follows needs the right there", async () => {
  const team = await system()["teams"].create({ owner: "eva", slug: "c" })
  const project = await system()["projects"].create({ name: "x", teams: [team.id] })
  const { teams } = as(mallory)
  await expect(teams.create({ owner: "mallory", projects: { connect: [project.id] } })).rejects.toMatchObject(refused)
  const own = await teams.create({ owner: "mallory" })
  await expect(teams.updateById({ id: own.id, data: { projects: [project.id] } })).rejects.toMatchObject(refused)
  await expect(teams.updateById({ id: team.id, data: { projects: [] } })).rejects.toMatchObject(refused)
  await as(eva).teams.updateById({ id: own.id, data: { projects: [project.id] } })
})
