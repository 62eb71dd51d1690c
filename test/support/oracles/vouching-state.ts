/** The collections of the experiment, each with `id`, `code`, `owner`, `level` and `note`, and their relations. */
export const COLLECTIONS = {
  orgs: {
    one: { parent: "orgs" },
    many: { children: ["orgs", "parent"], members: ["members", "org"], invites: ["invites", "org"] },
    links: {},
  },
  members: { one: { org: "orgs" }, many: { invites: ["invites", "sender"] }, links: {} },
  invites: { one: { org: "orgs", sender: "members" }, many: {}, links: {} },
  projects: { one: { org: "orgs" }, many: {}, links: { teams: "teams" } },
  teams: { one: {}, many: {}, links: { projects: "projects" } },
} as const satisfies Record<string, Relations>

export type Name = keyof typeof COLLECTIONS
interface Relations {
  /** The target of each relation to one record. */
  readonly one: Readonly<Record<string, string>>
  /** The target of each relation to many, and the field there that refers back. */
  readonly many: Readonly<Record<string, readonly [target: string, via: string]>>
  /** The target of each end of the many-to-many relation. */
  readonly links: Readonly<Record<string, string>>
}

export const NAMES = Object.keys(COLLECTIONS) as Name[]

export type Row = { readonly id: string; readonly isDeleted?: boolean } & Readonly<Record<string, unknown>>
export type Where = Readonly<Record<string, unknown>>
export type Filter = boolean | Where

/** Every record, and every link as `project team`. */
export interface State {
  readonly rows: Record<Name, Map<string, Row>>
  readonly links: Set<string>
}

export function copyOf({ rows, links }: State): State {
  const copied = NAMES.map((name) => [name, new Map(rows[name])])
  // One entry for each name.
  return { rows: Object.fromEntries(copied) as State["rows"], links: new Set(links) }
}

export function relationsOf(name: Name): {
  readonly one: Readonly<Record<string, Name>>
  readonly many: Readonly<Record<string, readonly [target: Name, via: string]>>
  readonly links: Readonly<Record<string, Name>>
} {
  return COLLECTIONS[name]
}

export function live(state: State, name: Name, id: unknown): Row | undefined {
  const row = state.rows[name].get(String(id))
  return row?.isDeleted ? undefined : row
}

/** The ids that the links of a project or a team lead to. */
export function linkedIds(state: State, name: Name, id: string): string[] {
  const [own, other] = name === "projects" ? [0, 1] : [1, 0]
  const pairs = [...state.links].map((link) => link.split(" "))
  return pairs.filter((pair) => pair[own] === id).map((pair) => String(pair[other]))
}

export function setLinks(state: State, name: Name, { id, ids }: { id: string; ids: ReadonlySet<string> }): void {
  const linkTo = (other: string) => (name === "projects" ? `${id} ${other}` : `${other} ${id}`)
  for (const other of linkedIds(state, name, id)) if (!ids.has(other)) state.links.delete(linkTo(other))
  for (const other of ids) state.links.add(linkTo(other))
}

/** A row that may differ from the stored one: its own values and links count, everything else is as stored. */
export interface Candidate {
  readonly name: Name
  readonly row: Row
  /** The ids of its own many-to-many field, where they differ from those stored. */
  readonly links?: ReadonlySet<string> | undefined
}

/** Evaluates a filter in plain JavaScript. Written from the documentation, independently of the framework. */
export function holds(state: State, candidate: Candidate, filter: Filter): boolean {
  if (typeof filter === "boolean") return filter
  return Object.entries(filter).every(([key, condition]) => {
    const part = (where: unknown) => holds(state, candidate, where as Where)
    if (key === "AND") return (condition as Where[]).every(part)
    if (key === "OR") return (condition as Where[]).some(part)
    if (key === "NOT") return !part(condition)
    return holdsFor(state, candidate, [key, condition])
  })
}

function holdsFor(state: State, candidate: Candidate, [key, condition]: readonly [string, unknown]): boolean {
  const { name, row } = candidate
  const target = relationsOf(name).one[key]
  if (target) {
    if (condition === null) return row[key] === null
    const [operator, where] = Object.entries(condition as Where)[0] ?? []
    const found = live(state, target, row[key])
    const points = found !== undefined && holds(state, { name: target, row: found }, where as Where)
    return operator === "is" ? points : !points
  }
  const related = relatedRows(state, candidate, key)
  if (!related) return isObject(condition) ? row[key] !== condition["ne"] : row[key] === condition
  const [operator, where] = Object.entries(condition as Where)[0] ?? []
  const matching = related.filter((each) => holds(state, each, where as Where)).length
  if (operator === "every") return matching === related.length
  return operator === "some" ? matching > 0 : matching === 0
}

function relatedRows(state: State, { name, row, links }: Candidate, key: string): Candidate[] | undefined {
  const relations = relationsOf(name)
  const [lists, via] = relations.many[key] ?? []
  if (lists) {
    const rows = [...state.rows[lists].values()].filter((each) => !each.isDeleted && each[String(via)] === row.id)
    return rows.map((each) => ({ name: lists, row: each }))
  }
  const other = relations.links[key]
  if (!other) return undefined
  const ids = [...(links ?? linkedIds(state, name, row.id))]
  return ids.flatMap((id) => live(state, other, id) ?? []).map((each) => ({ name: other, row: each }))
}

export function isObject(value: unknown): value is Where {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The state as a text, in a fixed order, to compare and to read. */
export function describeState({ rows, links }: State): string {
  const line = (name: Name, row: Row) => `${name} ${JSON.stringify(Object.fromEntries(Object.entries(row).sort()))}`
  const lines = NAMES.flatMap((name) => [...rows[name].values()].map((row) => line(name, row)).sort())
  return [...lines, ...[...links].sort().map((link) => `link ${link}`)].join("\n")
}
