import pg from "pg"
import { liveRows } from "./vouching-cases.ts"
import type { Data, Request, Rules } from "./vouching-replay.ts"
import {
  type Filter,
  isObject,
  NAMES,
  type Name,
  type Row,
  relationsOf,
  type State,
  type Where,
} from "./vouching-state.ts"

/** The code of an error that a policy causes. */
const INSUFFICIENT_PRIVILEGE = "42501"

/**
 * Twin tables whose rules are row-security policies, so that Postgres itself decides: a policy sees the new values of a
 * row, and everything else as it was before the statement. All of it happens in a transaction that is never committed.
 */
export class PolicyTwin implements AsyncDisposable {
  readonly #client: pg.Client
  /** The role that the policies apply to. Roles are shared by all databases of the server, so its name is unique. */
  readonly #role: string

  private constructor(client: pg.Client, role: string) {
    this.#client = client
    this.#role = role
  }

  static async open(url: string): Promise<PolicyTwin> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const tables = NAMES.map(
      (name) => `create table twin.${name} (${columnsOf(name).join(" text, ")} text);
        alter table twin.${name} enable row level security, force row level security;
        create policy reading on twin.${name} for select using (true);`,
    )
    const role = `twin_${crypto.randomUUID().replaceAll("-", "")}`
    await client.query(`begin; create schema twin; create role ${role}; ${tables.join("")}
      create table twin.staffing (project text, team text);
      grant usage on schema twin to ${role}; grant all on all tables in schema twin to ${role}`)
    return new PolicyTwin(client, role)
  }

  /** Returns true if Postgres allows a write without related records, and undefined for any other request. */
  async allows({ state, rules, request }: Given): Promise<boolean | undefined> {
    const write = statementOf(state, request)
    if (!write) return undefined
    // A policy that allows nothing leaves every row out; kit refuses the write of many.
    if (request.kind === "updateMany" && deniesAll(rules, request)) return false
    const rule = ruleOf(rules, request, write)
    const check = write.isInsert ? `for insert with check (${rule})` : `for update using (${rule}) with check (${rule})`
    await this.#client.query(`savepoint before; ${contentOf(state)}
      create policy writing on twin.${request.name} ${check}; set local role ${this.#role}`)
    try {
      const { rows } = await this.#client.query<{ id: string }>(write.text)
      const mayLeaveOut = request.kind === "updateMany"
      return (mayLeaveOut || rows.length === write.ids.length) && (await this.#resultsHold(request.name, rule, rows))
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) return false
      throw error
    } finally {
      await this.#client.query("rollback to savepoint before")
    }
  }

  // A policy does not ask about the row once more after it is stored; kit does.
  async #resultsHold(name: Name, rule: string, written: readonly { id: string }[]): Promise<boolean> {
    const ids = written.map(({ id }) => literal(id)).join() || "null"
    const { rows } = await this.#client.query(`select 1 from twin.${name} where id in (${ids}) and not (${rule})`)
    return rows.length === 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.query("rollback")
    await this.#client.end()
  }
}

interface Given {
  readonly state: State
  readonly rules: Rules
  readonly request: Request
}

interface Statement {
  readonly isInsert: boolean
  readonly text: string
  readonly ids: readonly string[]
  /** The ids of the rows whose field `note` is written. */
  readonly withNote: readonly string[]
}

function statementOf(state: State, request: Request): Statement | undefined {
  const { name, kind } = request
  if (kind === "restore" || kind === "revert") return undefined
  const writes = writesOf(request)
  const columns = columnsOf(name)
  if (writes.some(({ data }) => Object.entries(data).some(([key, value]) => !columns.includes(key) || isObject(value))))
    return undefined
  const ids = writes.map(({ id }) => id)
  const withNote = writes.filter(({ data }) => "note" in data).map(({ id }) => id)
  const rows = writes.map(({ id, data }) => tuple(name, { ...state.rows[name].get(id), ...data, id })).join()
  if (kind === "create")
    return { isInsert: true, text: `insert into twin.${name} values ${rows} returning id`, ids, withNote }
  const sets = columns.map((column) => `${column} = given.${column}`)
  const given = `(values ${rows}) as given (${columns.join()})`
  const text = `update twin.${name} set ${sets} from ${given} where ${name}.id = given.id returning ${name}.id`
  return { isInsert: false, text, ids, withNote }
}

function writesOf(request: Exclude<Request, { kind: "restore" | "revert" }>): readonly { id: string; data: Data }[] {
  if (request.kind === "create") return [{ id: String(request.data["id"]), data: request.data }]
  if (request.kind === "update") return [request]
  return request.kind === "updateBatch" ? request.updates : request.ids.map((id) => ({ id, data: request.data }))
}

function deniesAll(rules: Rules, { name, data }: Extract<Request, { kind: "updateMany" }>): boolean {
  return rules[name].update === false || ("note" in data && rules[name].noteUpdate === false)
}

function ruleOf(rules: Rules, { name, kind }: Request, { withNote }: Statement): string {
  const { create, update, noteCreate, noteUpdate } = rules[name]
  const [rule, noteRule] = kind === "create" ? [create, noteCreate] : [update, noteUpdate]
  const hasNote = `${name}.id in (${withNote.map(literal).join() || "null"})`
  return `${sqlOf({ name, as: name }, rule)} and (${hasNote} is not true or ${sqlOf({ name, as: name }, noteRule)})`
}

interface Place {
  readonly name: Name
  /** How the statement calls the row. */
  readonly as: string
}

/** Writes a filter as SQL that is never null. */
function sqlOf(place: Place, filter: Filter): string {
  if (typeof filter === "boolean") return String(filter)
  const parts = Object.entries(filter).map(([key, condition]) => {
    const all = () => (condition as Where[]).map((part) => sqlOf(place, part))
    if (key === "AND") return `(${all().join(" and ")})`
    if (key === "OR") return `(${all().join(" or ")})`
    return key === "NOT" ? `not (${sqlOf(place, condition as Where)})` : sqlOfField(place, key, condition)
  })
  return `(${parts.join(" and ")})`
}

function sqlOfField({ name, as }: Place, key: string, condition: unknown): string {
  const { one, many, links } = relationsOf(name)
  const [list, via] = many[key] ?? []
  const target = one[key] ?? list ?? links[key]
  if (!target && isObject(condition)) return `${as}.${key} is distinct from ${literal(condition["ne"])}`
  if (!target) return `${as}.${key} is not distinct from ${literal(condition)}`
  if (condition === null) return `${as}.${key} is null`
  const [operator, where] = Object.entries(condition as Where)[0] ?? []
  const there = { name: target, as: `${as}_${key}` }
  const [own, other] = name === "projects" ? ["project", "team"] : ["team", "project"]
  const linked = `${there.as}.id in (select ${other} from twin.staffing where ${own} = ${as}.id)`
  const isRelated = one[key] ? `${there.as}.id = ${as}.${key}` : via ? `${there.as}.${via} = ${as}.id` : linked
  const matches = sqlOf(there, where as Where)
  const exists = `exists (select from twin.${target} ${there.as} where ${isRelated} and ${operator === "every" ? `not ${matches}` : matches})`
  return operator === "is" || operator === "some" ? exists : `not ${exists}`
}

function contentOf(state: State): string {
  const tables = NAMES.map((name) => [name, liveRows(state, name).map((row) => tuple(name, row))] as const)
  const pairs = [...state.links].map((link) => `(${link.split(" ").map(literal).join()})`)
  return [...tables, ["staffing", pairs] as const]
    .filter(([, rows]) => rows.length > 0)
    .map(([name, rows]) => `insert into twin.${name} values ${rows.join()};`)
    .join("")
}

function columnsOf(name: Name): string[] {
  return ["id", "code", "owner", "level", "note", ...Object.keys(relationsOf(name).one)]
}

function tuple(name: Name, row: Row | Data): string {
  return `(${columnsOf(name)
    .map((column) => literal(row[column]))
    .join()})`
}

function literal(value: unknown): string {
  return value === null || value === undefined ? "null::text" : pg.escapeLiteral(String(value))
}
