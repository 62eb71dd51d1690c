import type { Link, LinkTable, Resource, ResourceField, StageCopies, StageSelection } from "../compile/resource.ts"
import type { ResourceDraft } from "../compile/resource-draft.ts"
import { findLinkTables } from "../relations/link-relations.ts"

interface CompiledStageCopies {
  readonly stages: readonly StageCopies[]
  /** The link tables of the stage copies. Their foreign keys refer to the working copies of records. */
  readonly links: readonly LinkTable[]
}

/** Compiles the tables of stage copies. An initial stage has no such table: its records are the working copies. */
export function compileStageCopies(
  drafts: readonly ResourceDraft[],
  compile: (stages: StageSelection) => readonly ResourceDraft[],
): CompiledStageCopies {
  const staged = drafts.flatMap((draft) =>
    copiedStagesOf(draft.resource).map((stage) => {
      const compiled = compile(new Map([[draft.resource.table, stage]]))
      const copy = compiled.find(({ source }) => source === draft.source) ?? draft
      const links = linkPairs(draft, copy)
      const names = new Set(links.map(({ to }) => to.table))
      const tables = findLinkTables(compiled).filter(({ name }) => names.has(name))
      return {
        copies: { resource: withWorkingForeignKeys(copy.resource, draft.resource), stage, links },
        tables: tables.map((table) => withWorkingTargets(table, drafts)),
      }
    }),
  )
  return { stages: staged.map(({ copies }) => copies), links: staged.flatMap(({ tables }) => tables) }
}

// Makes the foreign keys of a stage's table refer to working copies, even if the target is the same collection.
function withWorkingForeignKeys(copy: Resource, working: Resource): Resource {
  const foreignKeys = copy.foreignKeys.map((key) => (key.target === copy ? { ...key, target: working } : key))
  return Object.freeze({ ...copy, foreignKeys, working })
}

const writableStageCopies = new WeakMap<Resource, Map<string, Resource>>()

/**
 * Returns the resource through which the copies in a stage are written. It is like the working resource, with the same
 * hooks and with relations to working copies, but it uses the stage's table and link tables.
 */
export function writableStageCopy(working: Resource, { resource: { table }, links }: StageCopies): Resource {
  const known = writableStageCopies.get(working) ?? new Map<string, Resource>()
  writableStageCopies.set(working, known)
  const found = known.get(table)
  if (found) return found
  const toOf = new Map(links.map(({ from, to }) => [`${from.table} ${from.own}`, to]))
  const own = [...working.fields].filter(([, { comparison }]) => comparison === undefined)
  const fields = new Map(own.map(([name, field]) => [name, withLinks(field, toOf)]))
  const { number, user } = working.versions ?? {}
  // Only the row of the working copy stores the version number and the version's user.
  const columns = working.columns.filter((field) => field !== number && field !== user)
  const copy = Object.freeze({ ...working, table, fields, columns, working })
  known.set(table, copy)
  return copy
}

function withLinks(field: ResourceField, toOf: ReadonlyMap<string, Link>): ResourceField {
  const { relation } = field
  const link = relation?.kind === "manyToMany" && toOf.get(`${relation.link.table} ${relation.link.own}`)
  return link ? Object.freeze({ ...field, relation: { ...relation, link } }) : field
}

function copiedStagesOf({ workflow }: Resource): readonly string[] {
  return workflow === undefined ? [] : [...workflow.stages.keys()].filter((name) => name !== workflow.initial)
}

function linkPairs(draft: ResourceDraft, copy: ResourceDraft): StageCopies["links"] {
  return [...draft.fields].flatMap(([name, field]) => {
    const [from, to] = [linkIn(field), linkIn(copy.fields.get(name))]
    return from && to ? [{ name, from, to }] : []
  })
}

function linkIn(field: ResourceField | undefined): Link | undefined {
  return field?.relation?.kind === "manyToMany" ? field.relation.link : undefined
}

function withWorkingTargets(table: LinkTable, drafts: readonly ResourceDraft[]): LinkTable {
  const working = ({ kind, name }: Resource) =>
    drafts.find(({ resource }) => resource.kind === kind && resource.name === name)?.resource
  const [first, second] = table.columns
  return {
    ...table,
    columns: [
      { ...first, target: working(first.target) ?? first.target },
      { ...second, target: working(second.target) ?? second.target },
    ],
  }
}
