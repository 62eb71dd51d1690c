// @module-tag not-about-connections

import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { type SignedIn, type TestApp, testApp } from "kit/testing"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { extractBlocks } from "../docs/markdown.ts"

const PAGE = "docs/organisations.md"
// Inside the workspace, so that packages resolve as they do for its own code; ignored by git.
const FOLDER = resolve(".kit/pages/organisations")

let app: TestApp
let people: Record<"ada" | "ben" | "cleo" | "stranger", SignedIn>
let organisation: string

beforeAll(async () => {
  await writePage()
  app = await testApp({ root: FOLDER })
})
afterAll(async () => {
  await app.stop()
  await rm(FOLDER, { recursive: true })
})

/** Writes the files that the page shows into a folder of their own. */
async function writePage(): Promise<void> {
  const { blocks } = extractBlocks(PAGE, await readFile(PAGE, "utf8"))
  for (const { path, text } of blocks) {
    const file = join(FOLDER, path.slice(PAGE.length - ".md".length + 1))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

beforeEach(async () => {
  const signIn = () => app.signIn({ emailVerified: true })
  people = { ada: await signIn(), ben: await signIn(), cleo: await signIn(), stranger: await signIn() }
  const { ada } = people
  const made = await send(ada, "POST", "/organisations", {
    name: "Lake houses",
    members: { create: { user: ada.user.id, role: "owner" } },
  })
  expect(made.status).toBe(201)
  organisation = made.body.id
})

async function send(as: SignedIn, method: string, path: string, body?: unknown) {
  const headers = { "content-type": "application/json" }
  const response = await app.fetch(path, {
    as,
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse((await response.text()) || "null") }
}

/** Invites a person, who then joins. Returns the id of the membership. */
async function joined(person: SignedIn, role: "admin" | "member"): Promise<string> {
  const invited = await send(people.ada, "POST", "/invitations", { organisation, email: person.user.email, role })
  expect(invited.status).toBe(201)
  const made = await send(person, "POST", "/members", { organisation, user: person.user.id, role })
  expect(made.status).toBe(201)
  return made.body.id
}

const members = async () =>
  (await app.query(`select "user", role from members where organisation = $1 order by id`, [organisation])).map(
    ({ user, role }) => `${nameOf(user)} ${role}`,
  )

function nameOf(user: unknown): string | undefined {
  return Object.entries(people).find(
    ([
      ,
      {
        user: { id },
      },
    ]) => id === user,
  )?.[0]
}

test("whoever creates an organisation is its first owner, in the same request or the next", async () => {
  const { ben } = people
  const later = await send(ben, "POST", "/organisations", { name: "Boats" })
  const owner = await send(ben, "POST", "/members", { organisation: later.body.id, user: ben.user.id, role: "owner" })

  expect(owner.status).toBe(201)
  expect(await members()).toEqual(["ada owner"])
})

test("an organisation in the name of another user is refused, and so is a first owner of it", async () => {
  const { ben, stranger } = people
  const body = { name: "Boats", createdBy: ben.user.id }

  const asBen = await send(stranger, "POST", "/organisations", body)
  const withMember = { ...body, members: { create: { user: stranger.user.id, role: "owner" } } }

  expect([asBen.status, (await send(stranger, "POST", "/organisations", withMember)).status]).not.toContain(201)
})

test("people join by an invitation, in its role, once", async () => {
  const { ben } = people
  await send(people.ada, "POST", "/invitations", { organisation, email: ben.user.email, role: "member" })
  const join = (role: string) => send(ben, "POST", "/members", { organisation, user: ben.user.id, role })

  expect((await join("owner")).status).toBe(403)
  expect((await join("admin")).status).toBe(403)
  const own = await join("member")
  expect(own.status).toBe(201)
  expect((await send(ben, "DELETE", `/members/${own.body.id}`)).status).toBe(200)
  expect((await join("member")).status).toBeGreaterThanOrEqual(400)
  expect(await members()).toEqual(["ada owner"])
})

test("an invitation is of no use to those whose address is not confirmed", async () => {
  const unconfirmed = await app.signIn({ emailVerified: false })
  await send(people.ada, "POST", "/invitations", { organisation, email: unconfirmed.user.email })

  const answer = await send(unconfirmed, "POST", "/members", { organisation, user: unconfirmed.user.id })

  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(await members()).toEqual(["ada owner"])
})

test("admins invite members, members invite nobody", async () => {
  await joined(people.ben, "admin")
  await joined(people.cleo, "member")
  const invite = (as: SignedIn, role: string) =>
    send(as, "POST", "/invitations", { organisation, email: `${role}-${crypto.randomUUID()}@example.com`, role })

  expect((await invite(people.ben, "member")).status).toBe(201)
  expect((await invite(people.ben, "admin")).status).toBe(403)
  expect((await invite(people.cleo, "member")).status).toBe(403)
})

test("an owner hands over and leaves; the only owner does neither leave nor give up the role", async () => {
  const { ada, ben } = people
  const own = String((await app.query(`select id from members where organisation = $1`, [organisation]))[0]?.["id"])
  const id = await joined(ben, "member")
  const alone = [
    await send(ada, "DELETE", `/members/${own}`),
    await send(ada, "PATCH", `/members/${own}`, { role: "member" }),
  ]

  expect(alone.map(({ status }) => status)).toEqual([403, 403])
  expect((await send(ada, "PATCH", `/members/${id}`, { role: "owner" })).status).toBe(200)
  expect((await send(ada, "PATCH", `/members/${own}`, { role: "member" })).status).toBe(403)
  expect((await send(ben, "PATCH", `/members/${own}`, { role: "member" })).status).toBe(200)
  expect(await members()).toEqual(["ada member", "ben owner"])
  expect((await send(ada, "DELETE", `/members/${own}`)).status).toBe(200)
  // The creator does not come back by having created it.
  const back = await send(ada, "POST", "/members", { organisation, user: ada.user.id, role: "owner" })
  expect(back.status).toBe(403)
  expect(await members()).toEqual(["ben owner"])
})

const ATTACKS: Record<string, (own: string) => readonly [method: string, path: string, body: unknown]> = {
  "a membership as owner": () => ["POST", "/members", { organisation, ...asOwner() }],
  "a membership as owner, through the organisation": () => [
    "PATCH",
    `/organisations/${organisation}`,
    { members: { create: asOwner() } },
  ],
  "a move of one's own membership": (own) => ["PATCH", `/members/${own}`, { organisation }],
  "a move by a bulk write": (own) => ["PATCH", "/members", { where: { id: own }, data: { organisation } }],
  "a move by a batch": (own) => ["POST", "/members/update-batch", { updates: [{ id: own, data: { organisation } }] }],
  "an invitation of oneself": () => ["POST", "/invitations", { organisation, email: people.stranger.user.email }],
}
const asOwner = () => ({ user: people.stranger.user.id, role: "owner" })

// Either the rule says no, or the organisation is one that the stranger cannot even see.
test.each(Object.entries(ATTACKS))("a stranger is refused %s", async (_name, attack) => {
  const home = await send(people.stranger, "POST", "/organisations", { name: "Home", members: { create: asOwner() } })
  const [own] = await app.query(`select id from members where organisation = $1`, [home.body.id])

  const answer = await send(people.stranger, ...attack(String(own?.["id"])))

  expect([400, 403, 404]).toContain(answer.status)
  expect(await members()).toEqual(["ada owner"])
  expect(await app.query(`select 1 from invitations where organisation = $1`, [organisation])).toEqual([])
})

// A plain member sees the organisation, so that nothing but the rules stands in the way.
test.each(Object.entries(ATTACKS))("a member is refused %s", async (_name, attack) => {
  const { stranger } = people
  await joined(stranger, "member")
  const home = await send(stranger, "POST", "/organisations", { name: "Home", members: { create: asOwner() } })
  const [own] = await app.query(`select id from members where organisation = $1`, [home.body.id])

  const answer = await send(stranger, ...attack(String(own?.["id"])))

  // A second membership of the same person is a 409 as well.
  expect([403, 409]).toContain(answer.status)
  expect(await members()).toEqual(["ada owner", "stranger member"])
})

test("a crew takes no project over, and staffs one of its own", async () => {
  const { ada, stranger } = people
  const crew = await send(ada, "POST", "/crews", { owner: ada.user.id })
  const project = await send(ada, "POST", "/projects", { name: "Roof", crews: { connect: [crew.body.id] } })
  expect(project.status).toBe(201)
  const staff = (as: SignedIn) =>
    send(as, "POST", "/crews", { owner: as.user.id, projects: { connect: [project.body.id] } })

  expect((await staff(stranger)).status).toBe(403)
  expect((await send(stranger, "PATCH", `/projects/${project.body.id}`, { name: "Mine" })).status).toBe(403)
  expect((await staff(ada)).status).toBe(201)
})

test("the hook of the page makes the first member", async () => {
  const load = async (file: string) => import(join(FOLDER, "src", file))
  const { withOwner } = await load("_with-owner.ts")
  const others = await Promise.all(["members", "invitations"].map((name) => load(`collections/${name}.ts`)))
  await using small = await testApp({ collections: [withOwner, ...others.map((file) => file.default)] })
  const eva = await small.signIn()

  const headers = { "content-type": "application/json" }
  const body = JSON.stringify({ name: "Boats" })
  const { status } = await small.fetch("/organisations", { as: eva, method: "POST", headers, body })

  expect(status).toBe(201)
  expect(await small.query(`select "user", role from members`)).toEqual([{ user: eva.user.id, role: "owner" }])
})
