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
  /** A project of the boss, with the boss's team. */
  readonly project: string
  readonly name: string
  readonly bossTeam: string
  /** A team of eve, with a project of hers. */
  readonly eveTeam: string
  readonly eveProject: string
}
interface Link {
  readonly rules: Record<string, VouchingRule>
  readonly request: (state: State) => readonly [method: string, path: string, body: unknown]
}

let world: VouchingWorld
let state: State

beforeAll(async () => {
  world = await vouchingWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

let made = 0

beforeEach(async () => {
  setRules({})
  const bossTeam = await world.add("teams", { owner: "boss" })
  const eveTeam = await world.add("teams", { owner: "eve" })
  const name = `project ${made++}`
  const project = await world.add("projects", { name, createdBy: "boss", teams: [bossTeam] })
  const eveProject = await world.add("projects", { createdBy: "eve", teams: [eveTeam] })
  state = { project, name, bossTeam, eveTeam, eveProject }
})

const byTeam: VouchingRule = (owner) => ({ teams: { some: { owner } } })
const notOfBoss: VouchingRule = () => ({ teams: { none: { owner: "boss" } } })
const allMine: VouchingRule = (owner) => ({ teams: { every: { owner } } })
const byParentTeam: VouchingRule = (owner) => ({ OR: [byTeamOf(owner), { parent: { is: byTeamOf(owner) } }] })
const byTeamOf = (owner: string) => ({ teams: { some: { owner } } })

const REFUSED: Record<string, Link> = {
  "a new team that connects the project": {
    rules: { "projects.update": byTeam },
    request: ({ project }) => ["POST", "/teams", { owner: "eve", projects: { connect: [project] } }],
  },
  "a dry run of it": {
    rules: { "projects.update": byTeam },
    request: ({ project }) => ["POST", "/teams?dryRun=true", { owner: "eve", projects: { connect: [project] } }],
  },
  "a new team with a list of projects": {
    rules: { "projects.update": byTeam },
    request: ({ project, eveProject }) => ["POST", "/teams", { owner: "eve", projects: [eveProject, project] }],
  },
  "an own team that connects it": {
    rules: { "projects.update": byTeam },
    request: ({ project, eveTeam }) => ["PATCH", `/teams/${eveTeam}`, { projects: { connect: [project] } }],
  },
  "a set": {
    rules: { "projects.update": byTeam },
    request: ({ project, eveTeam }) => ["PATCH", `/teams/${eveTeam}`, { projects: { set: [project] } }],
  },
  "a connectOrCreate": {
    rules: { "projects.update": byTeam },
    request: ({ name, eveTeam }) => [
      "PATCH",
      `/teams/${eveTeam}`,
      { projects: { connectOrCreate: { where: { name }, create: { name } } } },
    ],
  },
  "an update of many": {
    rules: { "projects.update": byTeam },
    request: ({ project, eveTeam: id }) => [
      "PATCH",
      "/teams",
      { where: { id }, data: { projects: { connect: [project] } } },
    ],
  },
  "a batch": {
    rules: { "projects.update": byTeam },
    request: ({ project, eveTeam: id }) => [
      "POST",
      "/teams/update-batch",
      { updates: [{ id, data: { projects: { connect: [project] } } }] },
    ],
  },
  "a disconnect of what a rule forbids": {
    rules: { "projects.update": notOfBoss },
    request: ({ project, bossTeam }) => ["PATCH", `/teams/${bossTeam}`, { projects: { disconnect: [project] } }],
  },
  "a set of nothing": {
    rules: { "projects.update": notOfBoss },
    request: ({ bossTeam }) => ["PATCH", `/teams/${bossTeam}`, { projects: { set: [] } }],
  },
  "a disconnect that leaves every team to oneself": {
    rules: { "projects.update": allMine },
    request: ({ bossTeam }) => ["PATCH", `/teams/${bossTeam}`, { projects: [] }],
  },
  "a link that the delete rule follows": {
    rules: { "projects.delete": byTeam, "projects.update": (createdBy) => ({ createdBy }) },
    request: ({ project, eveTeam }) => ["PATCH", `/teams/${eveTeam}`, { projects: { connect: [project] } }],
  },
  "a link that the rule of a field follows": {
    rules: { "projects.budget.update": byTeam, "projects.update": (createdBy) => ({ createdBy }) },
    request: ({ project, eveTeam }) => ["PATCH", `/teams/${eveTeam}`, { projects: { connect: [project] } }],
  },
  "a link that the rule follows after another relation": {
    rules: { "projects.update": byParentTeam },
    request: ({ project, eveTeam }) => ["PATCH", `/teams/${eveTeam}`, { projects: { connect: [project] } }],
  },
  "a nested team": {
    rules: { "projects.update": byTeam },
    request: ({ project }) => [
      "POST",
      "/projects",
      { createdBy: "eve", teams: { create: { owner: "eve", projects: { connect: [project] } } } },
    ],
  },
  "the same from the other collection": {
    rules: { "teams.update": (createdBy) => ({ projects: { some: { createdBy } } }) },
    request: ({ bossTeam }) => ["POST", "/projects", { createdBy: "eve", teams: { connect: [bossTeam] } }],
  },
}

const ALLOWED: Record<string, Link> = {
  "a project that the caller may update": {
    rules: { "projects.update": (user) => ({ OR: [{ createdBy: user }, byTeamOf(user)] }) },
    request: ({ eveProject }) => ["POST", "/teams", { owner: "friend", projects: { connect: [eveProject] } }],
  },
  "a project that the caller already has by another team": {
    rules: { "projects.update": byTeam },
    request: ({ eveProject }) => ["POST", "/teams", { owner: "eve", projects: [eveProject] }],
  },
  "a link that is there already": {
    rules: { "projects.update": byTeam },
    request: ({ eveTeam, eveProject }) => ["PATCH", `/teams/${eveTeam}`, { projects: { set: [eveProject] } }],
  },
  "a link that no write rule follows": {
    rules: { "projects.update": (createdBy) => ({ createdBy }) },
    request: ({ project }) => ["POST", "/teams", { owner: "eve", projects: { connect: [project] } }],
  },
  "the own end of a new record, which its rule follows": {
    rules: { "projects.create": byTeam, "projects.update": byTeam },
    request: ({ eveTeam }) => ["POST", "/projects", { teams: { connect: [eveTeam] } }],
  },
  "the own end of a record that the caller may update": {
    rules: { "projects.update": byTeam },
    request: ({ eveProject, eveTeam, bossTeam }) => [
      "PATCH",
      `/projects/${eveProject}`,
      { teams: { set: [eveTeam, bossTeam] } },
    ],
  },
}

describe("a link that a write rule of the other end follows needs the right to update the record there", () => {
  test.each(Object.entries(REFUSED))("refused: %s", async (_name, { rules, request }) => {
    setRules(rules)
    const [method, path, body] = request(state)
    const before = await fingerprint(world.app)

    const answer = await world.send(eve, method, path, body)

    expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status: 403, code: "FORBIDDEN" })
    expect(await fingerprint(world.app)).toEqual(before)
  })

  test.each(Object.entries(ALLOWED))("allowed: %s", async (_name, { rules, request }) => {
    setRules(rules)
    const [method, path, body] = request(state)

    const answer = await world.send(eve, method, path, body)

    expect(answer.body).toMatchObject({ id: expect.any(String) })
    expect([200, 201]).toContain(answer.status)
  })

  test("refused: a revert that brings the link back", async () => {
    const { project, eveTeam, eveProject } = state
    const id = await world.add("teams", { owner: "eve", projects: [project] })
    const teams: any = world.app.app.system.collections["teams"]
    await teams.updateById({ id, data: { projects: [eveProject] } })
    setRules({ "projects.update": byTeam })
    const before = await fingerprint(world.app)

    const answer = await world.send(eve, "POST", `/teams/${id}/revert`, { version: 1 })

    expect(answer.status).toBe(403)
    expect(await fingerprint(world.app)).toEqual(before)
    const own = await world.send(eve, "PATCH", `/teams/${eveTeam}`, { name: `renamed ${made}` })
    expect(own.status).toBe(200)
  })

  test("whoever has been refused the link still may not update the record, and its owner may", async () => {
    const { project } = state
    setRules({ "projects.update": byTeam })

    const takeover = await world.send(eve, "POST", "/teams", { owner: "eve", projects: { connect: [project] } })
    const update = await world.send(eve, "PATCH", `/projects/${project}`, { budget: 1 })
    const own = await world.send(boss, "PATCH", `/projects/${project}`, { budget: 2 })

    expect([takeover.status, update.status, own.status]).toEqual([403, 403, 200])
  })
})
