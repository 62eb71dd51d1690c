import { type Collection, collection, type Session } from "kit"
import type { Request, Rules } from "../oracles/vouching-replay.ts"
import { linkedIds, NAMES, type Name, type Row, relationsOf, type State } from "../oracles/vouching-state.ts"
import { createTestDatabase } from "../test-database.ts"
import { type TestApp, testApp } from "./test-app.ts"

const caller: Session = { user: { id: "me" } }

/** An app with the collections of the experiment, whose rules and records change with every case. */
export interface GeneratedRulesWorld extends AsyncDisposable {
  readonly url: string
  /** Replaces every record. */
  load(state: State): Promise<void>
  /** The records as the database has them. */
  read(): Promise<State>
  /** Sends a request to one of the two apps: with shortcuts, or on the general path. */
  send(given: { request: Request; rules: Rules; onGeneralPath: boolean }): Promise<Answer>
  /** The versions of a member that a revert may name, with their values. */
  versions(id: string): Promise<{ version: number; values: Record<string, unknown> }[]>
}

interface Answer {
  readonly status: number
  readonly message?: string
}

export async function generatedRulesWorld(): Promise<GeneratedRulesWorld> {
  const database = await createTestDatabase()
  const held: { rules?: Rules } = {}
  const resources = NAMES.map((name) => ruledCollection(name, held))
  const start = () => testApp({ resources, config: { db: { url: database.url } } })
  const given = process.env["KIT_GENERAL_PATH"]
  delete process.env["KIT_GENERAL_PATH"]
  const withShortcuts = await start()
  process.env["KIT_GENERAL_PATH"] = "1"
  const general = await start()
  if (given === undefined) delete process.env["KIT_GENERAL_PATH"]
  const { system } = withShortcuts.app
  const operations = (name: Name): any => system.collections[name]
  return {
    url: database.url,
    load: async (state) => {
      await database.query(CLEAR)
      for (const name of NAMES) {
        for (const row of state.rows[name].values()) await operations(name).create(inputOf(state, name, row))
      }
      // Parents may form a circle, so they follow when all of them are there.
      for (const { id, parent } of state.rows.orgs.values())
        await operations("orgs").updateById({ id, data: { parent } })
      const deleted = [...state.rows.members.values()].filter(({ isDeleted }) => isDeleted)
      for (const { id } of deleted) await operations("members").deleteById({ id })
    },
    read: async () => stateOf((await database.query(READ))[0]?.["state"] as Stored),
    send: async ({ request, rules, onGeneralPath }) => {
      held.rules = rules
      const { status, body } = await sendTo(onGeneralPath ? general : withShortcuts, request)
      return { status, message: body?.error?.message }
    },
    versions: async (id) => {
      const versions = await operations("members").findVersions({ id, includeDeleted: true })
      return versions.filter((each: any) => each.versionOperation !== "delete").map(valuesOf)
    },
    [Symbol.asyncDispose]: async () => {
      for (const app of [withShortcuts, general]) await app[Symbol.asyncDispose]()
      await database.drop()
    },
  }
}

function ruledCollection(name: Name, held: { rules?: Rules }): Collection {
  const rule = (key: keyof Rules[Name]) => () => held.rules?.[name][key] ?? false
  const { one, many, links } = relationsOf(name)
  const made = collection(name)
    .fields(({ f }) => ({
      code: f.text().unique(),
      owner: f.text(),
      level: f.text(),
      note: f.text().access({ create: rule("noteCreate"), update: rule("noteUpdate") }),
      ...members(one, (target) => f.relation(target)),
      ...members(many, ([target, via]) => f.relation(target).hasMany({ via })),
      ...members(links, (target) => f.relation(target).manyToMany({ through: "staffing" })),
    }))
    // A caller who may delete also sees deleted records, so a refused restore is 403.
    .access({ read: true, delete: true, create: rule("create"), update: rule("update") })
  const options = { id: "client", timestamps: false } as const
  return made.options(name === "members" ? { ...options, softDelete: true, versions: true } : options)
}

function members<T, R>(given: Readonly<Record<string, T>>, make: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, make(value)]))
}

const CLEAR = `delete from "staffing.links"; update orgs set parent = null;
  ${["invites", "members", "projects", "teams", "orgs", "_kit_versions"].map((name) => `delete from "${name}";`).join("")}`

function inputOf(state: State, name: Name, { isDeleted, ...row }: Row): object {
  if (name === "orgs") return { ...row, parent: null }
  return name === "teams" ? { ...row, projects: linkedIds(state, "teams", row.id) } : row
}

type Stored = Record<Name, (Record<string, unknown> & { id: string })[] | null> & { links: object[] | null }

const READ = `select json_build_object(${NAMES.map((name) => `'${name}', (select json_agg(t) from "${name}" t)`)},
  'links', (select json_agg(t) from "staffing.links" t)) as state`

function stateOf(stored: Stored): State {
  const rowsOf = (name: Name) =>
    (stored[name] ?? []).map((row) => {
      const keys = ["id", "code", "owner", "level", "note", ...Object.keys(relationsOf(name).one)]
      const values = Object.fromEntries(keys.map((key) => [key, row[key]]))
      return [row.id, row["deletedAt"] ? { ...values, isDeleted: true } : values]
    })
  const rows = Object.fromEntries(NAMES.map((name) => [name, new Map(rowsOf(name) as [string, Row][])]))
  // The id of a project sorts before that of a team.
  const links = (stored.links ?? []).map((link) => Object.values(link).sort().join(" "))
  return { rows: rows as State["rows"], links: new Set(links) }
}

function valuesOf({ versionNumber, owner, level, note, org, code }: Record<string, any>) {
  return { version: versionNumber, values: { owner, level, note, org, code } }
}

function sendTo(app: TestApp, request: Request): ReturnType<TestApp["fetch"]> {
  const { name } = request
  const send = (method: string, path: string, body: unknown = {}) =>
    app.fetch(path, { method, session: caller, body: JSON.stringify(body) })
  switch (request.kind) {
    case "create":
      return send("POST", `/${name}`, request.data)
    case "update":
      return send("PATCH", `/${name}/${request.id}`, request.data)
    case "updateMany":
      return send("PATCH", `/${name}`, { where: { id: { in: request.ids } }, data: request.data })
    case "updateBatch":
      return send("POST", `/${name}/update-batch`, { updates: request.updates })
    case "restore":
      return send("POST", `/${name}/${request.id}/restore`)
    case "revert":
      return send("POST", `/${name}/${request.id}/revert`, { version: request.version })
    default:
      return request satisfies never
  }
}
