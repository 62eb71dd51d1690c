import { type AccessRules, collection, type Session } from "kit"
import { type TestApp, testApp } from "./test-app.ts"

type Answer = ReturnType<Extract<AccessRules["read"], (...given: never[]) => unknown>>
/** A rule of a test: a constant, or a filter for the id of the caller. */
export type VouchingRule = boolean | ((me: string) => Answer)
type Rules = Record<string, VouchingRule>

export const eve: Session = { user: { id: "eve" } }
export const boss: Session = { user: { id: "boss" } }

/** The rules by name: `memberships.create`, `memberships.role.create` for a field. A rule that is not set allows. */
const rules: Rules = {}

export function setRules(given: Rules): void {
  for (const name of Object.keys(rules)) delete rules[name]
  Object.assign(rules, given)
}

function ruled(name: string) {
  return ({ session }: { session: Session | null }): Answer => {
    const rule = rules[name] ?? true
    return typeof rule === "function" ? rule(session?.user.id ?? "nobody") : rule
  }
}

function operations(name: string) {
  return {
    read: true,
    create: ruled(`${name}.create`),
    update: ruled(`${name}.update`),
    delete: ruled(`${name}.delete`),
    restore: ruled(`${name}.restore`),
  } as const
}

const fieldRules = (name: string) => ({ create: ruled(`${name}.create`), update: ruled(`${name}.update`) })

const orgs = collection("orgs")
  .fields(({ f }) => ({
    name: f.text().unique(),
    createdBy: f.text(),
    secret: f.text().access(fieldRules("orgs.secret")),
    memberships: f.relation("memberships").hasMany({ via: "org" }),
    invitations: f.relation("invitations").hasMany({ via: "org" }),
  }))
  .access(operations("orgs"))

const memberships = collection("memberships")
  .fields(({ f }) => ({
    code: f.text().unique(),
    user: f.text(),
    role: f.text().access(fieldRules("memberships.role")),
    org: f.relation("orgs").access(fieldRules("memberships.org")),
    invitations: f.relation("invitations").hasMany({ via: "sender" }),
  }))
  .options({ softDelete: true, versions: true })
  .access(operations("memberships"))

const invitations = collection("invitations")
  .fields(({ f }) => ({ user: f.text(), org: f.relation("orgs"), sender: f.relation("memberships") }))
  .access(operations("invitations"))

const projects = collection("projects")
  .fields(({ f }) => ({
    name: f.text().unique(),
    createdBy: f.text(),
    parent: f.relation("projects"),
    budget: f.number().access(fieldRules("projects.budget")),
    teams: f.relation("teams").manyToMany({ through: "staffing" }),
    parts: f.relation("projects").hasMany({ via: "parent" }),
  }))
  .options({ versions: true })
  .access(operations("projects"))

const teams = collection("teams")
  .fields(({ f }) => ({
    name: f.text().unique(),
    owner: f.text(),
    projects: f.relation("projects").manyToMany({ through: "staffing" }),
    editors: f.relation("people").manyToMany(),
  }))
  .options({ versions: true })
  .access(operations("teams"))

const people = collection("people")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ id: "client" })
  .access(operations("people"))

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text(),
    writer: f.text(),
    section: f.relation("sections"),
  }))
  .options({ workflow: true, versions: true })
  .access({ ...operations("pages"), transition: true, drafts: true })

const sections = collection("sections")
  .fields(({ f }) => ({ name: f.text(), pages: f.relation("pages").hasMany({ via: "section" }) }))
  .access(operations("sections"))

export interface VouchingWorld extends AsyncDisposable {
  readonly app: TestApp
  add(name: string, data?: Record<string, unknown>): Promise<string>
  send(session: Session, method: string, path: string, body?: unknown): ReturnType<TestApp["fetch"]>
}

/** Organisations, links and pages, all open; a test sets the rules that it is about. */
export async function vouchingWorld(): Promise<VouchingWorld> {
  const app = await testApp({ resources: [orgs, memberships, invitations, projects, teams, people, pages, sections] })
  return {
    app,
    add: async (name, data = {}) => String((await app.app.system.collections[name]?.create(data))?.["id"]),
    send: (session, method, path, body) =>
      app.fetch(path, { method, session, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}
