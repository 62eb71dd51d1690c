import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { fingerprint } from "../support/worlds/attack-world.ts"
import {
  boss,
  eve,
  setRules,
  type VouchingRule,
  type VouchingWorld,
  vouchingWorld,
} from "../support/worlds/vouching-world.ts"

interface State {
  /** The organisation of the boss, in which eve has nothing to say. */
  readonly acme: string
  /** The organisation of eve. */
  readonly home: string
  /** The memberships: of the boss in acme; of eve, and of a friend, at home. */
  readonly boss: string
  readonly eve: string
  readonly friend: string
}
interface Request {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
}
interface Attack {
  readonly rules: Record<string, VouchingRule>
  readonly request: (state: State) => Request | Promise<Request>
}

let world: VouchingWorld
let state: State

beforeAll(async () => {
  world = await vouchingWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

beforeEach(async () => {
  setRules({})
  const acme = await world.add("orgs", { createdBy: "boss" })
  const home = await world.add("orgs", { createdBy: "eve" })
  state = {
    acme,
    home,
    boss: await world.add("memberships", { org: acme, user: "boss", role: "owner", code: `boss of ${acme}` }),
    eve: await world.add("memberships", { org: home, user: "eve", role: "owner", code: `eve of ${home}` }),
    friend: await world.add("memberships", { org: home, user: "friend", role: "owner" }),
  }
})

const system = (name: string): any => world.app.app.system.collections[name]

/** The pattern of the guide: the organisation of the row has a membership of the caller as an owner. */
const byOwner: VouchingRule = (user) => ({ org: { is: { memberships: { some: { user, role: "owner" } } } } })
const byMember: VouchingRule = (user) => ({ org: { is: { memberships: { some: { user } } } } })
const byInvitation: VouchingRule = (user) => ({ org: { is: { invitations: { some: { user } } } } })
const byFriend: VouchingRule = () => ({ org: { is: { memberships: { some: { user: "friend" } } } } })
const hasMe: VouchingRule = (user) => ({ memberships: { some: { user } } })
const asOwner = { user: "eve", role: "owner" }

async function expectRefused({ method = "POST", path, body }: Request): Promise<void> {
  const before = await fingerprint(world.app)

  const answer = await world.send(eve, method, path, body)

  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status: 403, code: "FORBIDDEN" })
  expect(await fingerprint(world.app)).toEqual(before)
}

const TAKEOVERS: Record<string, Attack> = {
  "a create": {
    rules: { "memberships.create": byOwner },
    request: ({ acme }) => ({ path: "/memberships", body: { org: acme, ...asOwner } }),
  },
  "a dry run of a create": {
    rules: { "memberships.create": byOwner },
    request: ({ acme }) => ({ path: "/memberships?dryRun=true", body: { org: acme, ...asOwner } }),
  },
  "a move of one's own row": {
    rules: { "memberships.update": byOwner },
    request: ({ acme, eve }) => ({ method: "PATCH", path: `/memberships/${eve}`, body: { org: acme } }),
  },
  "a move with operations on related records": {
    rules: { "memberships.update": byOwner },
    request: ({ acme, eve }) => ({
      method: "PATCH",
      path: `/memberships/${eve}`,
      body: { org: { connect: { id: acme } }, invitations: { create: { user: "x" } } },
    }),
  },
  "a filter that is negated twice": {
    rules: { "memberships.create": (user) => ({ NOT: { org: { is: { memberships: { none: { user } } } } } }) },
    request: ({ acme }) => ({ path: "/memberships", body: { org: acme, ...asOwner } }),
  },
  "two collections that vouch for each other": {
    rules: { "memberships.create": byInvitation, "invitations.create": byMember },
    request: ({ acme: org }) => ({
      path: "/memberships",
      body: { org, ...asOwner, invitations: { create: { org, user: "eve" } } },
    }),
  },
  "the same two, from the other one": {
    rules: { "memberships.create": byInvitation, "invitations.create": byMember },
    request: ({ acme: org }) => ({
      path: "/invitations",
      body: { org, user: "eve", sender: { create: { org, ...asOwner } } },
    }),
  },
  "a create through the organisation": {
    rules: { "memberships.create": byOwner },
    request: ({ acme }) => ({ method: "PATCH", path: `/orgs/${acme}`, body: { memberships: { create: asOwner } } }),
  },
  "several creates through the organisation": {
    rules: { "memberships.create": byOwner },
    request: ({ acme }) => ({
      method: "PATCH",
      path: `/orgs/${acme}`,
      body: { memberships: { create: [asOwner, asOwner] } },
    }),
  },
  "a connect through the organisation": {
    rules: { "memberships.update": byOwner },
    request: ({ acme, eve }) => ({ method: "PATCH", path: `/orgs/${acme}`, body: { memberships: { connect: [eve] } } }),
  },
  "a set through the organisation": {
    rules: { "memberships.update": byOwner },
    request: ({ acme, eve, boss }) => ({ method: "PATCH", path: `/orgs/${acme}`, body: { memberships: [boss, eve] } }),
  },
  "an update through the organisation": {
    rules: { "memberships.update": byOwner },
    request: ({ acme, home, eve }) => ({
      method: "PATCH",
      path: `/orgs/${home}`,
      body: { memberships: { update: { id: eve, data: { org: acme } } } },
    }),
  },
  "a connectOrCreate that creates": {
    rules: { "memberships.create": byOwner },
    request: ({ acme }) => ({
      method: "PATCH",
      path: `/orgs/${acme}`,
      body: { memberships: { connectOrCreate: { where: { code: `new ${acme}` }, create: asOwner } } },
    }),
  },
  "a connectOrCreate that connects": {
    rules: { "memberships.update": byOwner },
    request: ({ acme, home }) => ({
      method: "PATCH",
      path: `/orgs/${acme}`,
      body: { memberships: { connectOrCreate: { where: { code: `eve of ${home}` }, create: asOwner } } },
    }),
  },
  "an update of many": {
    rules: { "memberships.update": byOwner },
    request: ({ acme, eve: id }) => ({
      method: "PATCH",
      path: "/memberships",
      body: { where: { id }, data: { org: acme } },
    }),
  },
  "an update of many rows that vouch for each other": {
    rules: { "memberships.update": byFriend },
    request: ({ acme, eve, friend }) => ({
      method: "PATCH",
      path: "/memberships",
      body: { where: { id: { in: [eve, friend] } }, data: { org: acme } },
    }),
  },
  "an update of many with operations on related records": {
    rules: { "memberships.update": byOwner },
    request: ({ acme, eve: id }) => ({
      method: "PATCH",
      path: "/memberships",
      body: { where: { id }, data: { org: acme, invitations: { create: { user: "x" } } } },
    }),
  },
  "a batch": {
    rules: { "memberships.update": byOwner },
    request: ({ acme, eve: id }) => ({
      path: "/memberships/update-batch",
      body: { updates: [{ id, data: { org: acme } }] },
    }),
  },
  "a batch of rows that vouch for each other": {
    rules: { "memberships.update": byFriend },
    request: ({ acme, eve, friend }) => ({
      path: "/memberships/update-batch",
      body: { updates: [eve, friend].map((id) => ({ id, data: { org: acme } })) },
    }),
  },
  "a restore": {
    rules: { "memberships.restore": byOwner },
    request: async ({ acme }) => {
      const id = await world.add("memberships", { org: acme, ...asOwner })
      await system("memberships").deleteById({ id })
      return { path: `/memberships/${id}/restore` }
    },
  },
  "a revert": {
    rules: { "memberships.update": byOwner },
    request: async ({ acme, home }) => {
      const id = await world.add("memberships", { org: acme, ...asOwner })
      await system("memberships").updateById({ id, data: { org: home } })
      return { path: `/memberships/${id}/revert`, body: { version: 1 } }
    },
  },
  "a parent that relies on its nested record": {
    rules: { "orgs.create": hasMe },
    request: () => ({ path: "/orgs", body: { memberships: { create: asOwner } } }),
  },
  "an organisation with its first membership, under the rule of the guide": {
    rules: { "memberships.create": byOwner },
    request: () => ({ path: "/orgs", body: { createdBy: "eve", memberships: { create: asOwner } } }),
  },
  "a first membership with its organisation, under the rule of the guide": {
    rules: { "memberships.create": byOwner },
    request: () => ({ path: "/memberships", body: { ...asOwner, org: { create: { createdBy: "eve" } } } }),
  },
  "a field of a new row": {
    rules: { "memberships.role.create": byOwner },
    request: ({ acme }) => ({ path: "/memberships", body: { org: acme, ...asOwner } }),
  },
  "a field that moves the row": {
    rules: { "memberships.org.update": byOwner },
    request: ({ acme, eve }) => ({ method: "PATCH", path: `/memberships/${eve}`, body: { org: acme } }),
  },
  "a field of many rows": {
    rules: { "memberships.org.update": byOwner },
    request: ({ acme, eve: id }) => ({
      method: "PATCH",
      path: "/memberships",
      body: { where: { id }, data: { org: acme } },
    }),
  },
  "a field of a parent that relies on its nested record": {
    rules: { "orgs.secret.create": hasMe },
    request: () => ({ path: "/orgs", body: { secret: "x", memberships: { create: asOwner } } }),
  },
}

describe("no write is allowed because of itself", () => {
  test.each(Object.entries(TAKEOVERS))("%s", async (_name, { rules, request }) => {
    const asked = await request(state)
    setRules(rules)

    await expectRefused(asked)
  })

  test("a copy in a stage is no witness for itself", async () => {
    const [mine, theirs] = [await world.add("sections"), await world.add("sections")]
    const id = await world.add("pages", { writer: "eve", section: mine })
    await world.add("pages", { writer: "eve", section: mine })
    await system("pages").transitionStage({ id, stage: "published" })
    setRules({ "pages.update": (writer) => ({ section: { is: { pages: { some: { writer } } } } }) })
    const path = `/pages/${id}?stage=published`

    await expectRefused({ method: "PATCH", path, body: { section: theirs } })
    await expectRefused({
      method: "PATCH",
      path: "/pages?stage=published",
      body: { where: { id }, data: { section: theirs } },
    })
    const allowed = await world.send(eve, "PATCH", path, { title: "mended", section: mine })
    expect(allowed).toMatchObject({ status: 200, body: { title: "mended" } })
  })

  test("a new record in a stage is no witness for itself", async () => {
    const theirs = await world.add("sections")
    setRules({ "pages.create": (writer) => ({ section: { is: { pages: { some: { writer } } } } }) })

    await expectRefused({ path: "/pages?stage=published", body: { writer: "eve", section: theirs } })
    await world.add("pages", { writer: "eve", section: theirs })
    const allowed = await world.send(eve, "POST", "/pages?stage=published", { writer: "eve", section: theirs })
    expect(allowed.status).toBe(201)
  })

  test("in a transaction of the author, a later write may rely on an earlier one, as in two requests", async () => {
    setRules({
      "memberships.create": (user) => ({
        OR: [{ org: { is: { createdBy: user } } }, { org: { is: { memberships: { some: { user } } } } }],
      }),
    })

    const made = await world.app.app.as(eve).transaction(async ({ collections }: any) => {
      const { id: org } = await collections.orgs.create({ createdBy: "eve" })
      return collections.memberships.create({ org, ...asOwner })
    })

    expect(made).toMatchObject(asOwner)
  })

  test("the last owner can still not demote herself in silence", async () => {
    setRules({ "memberships.update": byOwner })

    const last = await world.send(boss, "PATCH", `/memberships/${state.boss}`, { role: "member" })
    expect(last.status).toBe(403)
    const other = await world.send(eve, "PATCH", `/memberships/${state.friend}`, { role: "member" })
    expect(other).toMatchObject({ status: 200, body: { role: "member" } })
  })
})
