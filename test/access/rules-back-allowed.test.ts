import type { Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  boss,
  eve,
  setRules,
  type VouchingRule,
  type VouchingWorld,
  vouchingWorld,
} from "../support/worlds/vouching-world.ts"

interface Pattern {
  readonly rules: Record<string, VouchingRule>
  readonly session?: Session
  readonly request: (state: State) => Request | Promise<Request>
  /** Nearly the same request, which is refused: it is the rule that decides. */
  readonly refused?: (state: State) => Request | Promise<Request>
}
type Request = readonly [method: string, path: string, body?: unknown]
interface State {
  readonly acme: string
  readonly boss: string
  readonly staff: readonly string[]
}

let world: VouchingWorld
let state: State

beforeAll(async () => {
  world = await vouchingWorld()
  for (const id of ["eve", "boss"]) await world.add("people", { id })
})
afterAll(() => world[Symbol.asyncDispose]())

beforeEach(async () => {
  setRules({})
  const acme = await world.add("orgs", { createdBy: "boss" })
  const owner = await world.add("memberships", { org: acme, user: "boss", role: "owner" })
  const staff = await Promise.all(
    ["ann", "ben"].map((user) => world.add("memberships", { org: acme, user, role: "member" })),
  )
  state = { acme, boss: owner, staff }
})

const system = (name: string): any => world.app.app.system.collections[name]
const byOwner: VouchingRule = (user) => ({ org: { is: { memberships: { some: { user, role: "owner" } } } } })
const byOwnerOrCreator: VouchingRule = (user) => ({
  org: { is: { OR: [{ createdBy: user }, { memberships: { some: { user, role: "owner" } } }] } },
})
const bySender: VouchingRule = (user) => ({ sender: { is: { user } } })

const PATTERNS: Record<string, Pattern> = {
  "a child under a folder of the same request": {
    rules: {
      "projects.create": (me) => ({ OR: [{ createdBy: me, parent: null }, { parent: { is: { createdBy: me } } }] }),
    },
    request: () => [
      "POST",
      "/projects",
      { createdBy: "eve", parts: { create: [{}, { createdBy: "eve", parts: { create: {} } }] } },
    ],
    // The second level has no creator, so the third cannot rely on it.
    refused: () => ["POST", "/projects", { createdBy: "eve", parts: { create: { parts: { create: {} } } } }],
  },
  "a new parent for a new child, whose rule follows the parent": {
    rules: { "invitations.create": bySender, "memberships.create": (user) => ({ user }) },
    request: () => ["POST", "/invitations", { user: "x", sender: { create: { user: "eve" } } }],
    refused: () => ["POST", "/invitations", { user: "x", sender: { create: { user: "boss" } } }],
  },
  "a parent that exists already, by connectOrCreate": {
    rules: { "invitations.create": bySender, "memberships.create": false },
    request: async () => {
      const { code } = await system("memberships").create({ code: crypto.randomUUID(), user: "eve" })
      return ["POST", "/invitations", { sender: { connectOrCreate: { where: { code }, create: { code } } } }]
    },
  },
  "an order with its lines, whose rule follows the order": {
    rules: { "invitations.create": bySender, "memberships.create": (user) => ({ user }) },
    request: () => ["POST", "/memberships", { user: "eve", invitations: { create: [{ user: "a" }, { user: "b" }] } }],
    refused: () => ["POST", "/memberships", { user: "boss", invitations: { create: [{ user: "a" }] } }],
  },
  "more lines for an order": {
    rules: { "invitations.create": bySender, "memberships.update": (user) => ({ user }) },
    session: boss,
    request: ({ boss }) => [
      "PATCH",
      `/memberships/${boss}`,
      { invitations: { create: [{ user: "a" }, { user: "b" }] } },
    ],
    refused: ({ staff }) => ["PATCH", `/memberships/${staff[0]}`, { invitations: { create: { user: "a" } } }],
  },
  "a connect of oneself as editor in the same create": {
    rules: { "teams.create": (id) => ({ editors: { some: { id } } }) },
    request: () => ["POST", "/teams", { editors: { connect: ["eve"] } }],
    refused: () => ["POST", "/teams", { editors: { connect: ["boss"] } }],
  },
  "a list of editors with oneself in it": {
    rules: { "teams.create": (id) => ({ editors: { some: { id } } }) },
    request: () => ["POST", "/teams", { editors: ["boss", "eve"] }],
    refused: () => ["POST", "/teams", { editors: [] }],
  },
  "an editor who connects another one": {
    rules: { "teams.update": (id) => ({ editors: { some: { id } } }) },
    request: async () => [
      "PATCH",
      `/teams/${await world.add("teams", { editors: ["eve"] })}`,
      { editors: { connect: ["boss"] } },
    ],
    refused: async () => [
      "PATCH",
      `/teams/${await world.add("teams", { editors: ["boss"] })}`,
      { editors: { connect: ["eve"] } },
    ],
  },
  "an editor who is replaced as long as the rule holds": {
    rules: { "teams.update": (id) => ({ editors: { some: { id } } }) },
    request: async () => [
      "PATCH",
      `/teams/${await world.add("teams", { editors: ["eve", "boss"] })}`,
      { editors: { set: ["eve"] } },
    ],
    refused: async () => [
      "PATCH",
      `/teams/${await world.add("teams", { editors: ["eve"] })}`,
      { editors: { set: ["boss"] } },
    ],
  },
  "a membership made by an owner for someone else": {
    rules: { "memberships.create": byOwner },
    session: boss,
    request: ({ acme }) => ["POST", "/memberships", { org: acme, user: "new", role: "owner" }],
  },
  "memberships made by an owner through the organisation": {
    rules: { "memberships.create": byOwner },
    session: boss,
    request: ({ acme }) => ["PATCH", `/orgs/${acme}`, { memberships: { create: [{ user: "c" }, { user: "d" }] } }],
  },
  "an owner who changes the role of another": {
    rules: { "memberships.update": byOwner },
    session: boss,
    request: ({ staff }) => ["PATCH", `/memberships/${staff[0]}`, { role: "owner" }],
  },
  "an owner who demotes another owner": {
    rules: { "memberships.update": byOwner },
    session: boss,
    request: async ({ acme }) => {
      const id = await world.add("memberships", { org: acme, user: "second", role: "owner" })
      return ["PATCH", `/memberships/${id}`, { role: "member" }]
    },
  },
  "an owner who changes a field of her own row": {
    rules: { "memberships.update": byOwner },
    session: boss,
    request: ({ boss }) => ["PATCH", `/memberships/${boss}`, { code: crypto.randomUUID() }],
  },
  "the first membership of an organisation that the caller has created": {
    rules: { "memberships.create": byOwnerOrCreator },
    request: async () => {
      const org = await world.send(eve, "POST", "/orgs", { createdBy: "eve" })
      return ["POST", "/memberships", { org: org.body.id, user: "eve", role: "owner" }]
    },
    refused: ({ acme }) => ["POST", "/memberships", { org: acme, user: "eve", role: "owner" }],
  },
  "an organisation with its first membership in one request, by its creator": {
    rules: { "memberships.create": byOwnerOrCreator, "orgs.create": (createdBy) => ({ createdBy }) },
    request: () => ["POST", "/orgs", { createdBy: "eve", memberships: { create: { user: "eve", role: "owner" } } }],
    refused: () => ["POST", "/orgs", { createdBy: "boss", memberships: { create: { user: "eve", role: "owner" } } }],
  },
  "many rows, each justified by what was there before": {
    rules: { "memberships.update": byOwner },
    session: boss,
    request: ({ staff }) => ["PATCH", "/memberships", { where: { id: { in: staff } }, data: { role: "owner" } }],
  },
  "a batch of rows, each justified by what was there before": {
    rules: { "memberships.update": byOwner },
    session: boss,
    request: ({ staff }) => [
      "POST",
      "/memberships/update-batch",
      { updates: staff.map((id) => ({ id, data: { role: "admin" } })) },
    ],
  },
  "a restore by an owner": {
    rules: { "memberships.restore": byOwner },
    session: boss,
    request: async ({ staff: [id] }) => {
      await system("memberships").deleteById({ id })
      return ["POST", `/memberships/${id}/restore`]
    },
  },
  "a revert by an owner": {
    rules: { "memberships.update": byOwner },
    session: boss,
    request: async ({ staff: [id] }) => {
      await system("memberships").updateById({ id, data: { role: "admin" } })
      return ["POST", `/memberships/${id}/revert`, { version: 1 }]
    },
  },
  "a field that an owner sets in a new row": {
    rules: { "memberships.role.create": byOwner },
    session: boss,
    request: ({ acme }) => ["POST", "/memberships", { org: acme, user: "new", role: "owner" }],
  },
}

describe("what single writes could do one after the other is allowed in one request", () => {
  test.each(Object.entries(PATTERNS))("%s", async (_name, { rules, session = eve, request, refused }) => {
    const [method, path, body] = await request(state)
    const counterpart = await refused?.(state)
    setRules(rules)

    const answer = await world.send(session, method, path, body)

    expect({ status: answer.status, error: answer.body.error?.message }).toEqual({
      status: method === "POST" && !/\/(restore|revert|update-batch)$/.test(path) ? 201 : 200,
      error: undefined,
    })
    if (Array.isArray(answer.body)) expect(answer.body).toHaveLength(state.staff.length)
    if (!counterpart) return
    const denied = await world.send(session, ...counterpart)
    expect(denied.status).toBe(403)
  })
})
