import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { isProblem } from "../compile/field-type.ts"
import { databaseName } from "../compile/names.ts"
import type { Link, LinkTable, Resource, ResourceField, ToManyRelation } from "../compile/resource.ts"
import type { Mistake, ResourceDraft, Writable } from "../compile/resource-draft.ts"
import { RelationField, ToManyField } from "../fields/relation.ts"
import { stageLinkTable } from "../workflow/workflow.ts"
import { linkPartReferences } from "./link-part-references.ts"
import { findTargetMistake } from "./target-mistake.ts"

/** Sets the target of every relation. Returns the mistakes in relations, such as a target that does not exist. */
export function linkRelations(drafts: readonly ResourceDraft[]): Mistake[] {
  const collections = drafts.filter(({ resource }) => resource.kind === "collection")
  const targets = new Map(collections.map((draft) => [draft.resource.name, draft]))
  const ends = drafts.flatMap((draft) => relationEndsOf(draft, targets))
  return [
    ...ends.flatMap((end) => linkRelation(end, targets)),
    ...findLinkMistakes(drafts),
    ...linkPartReferences(drafts, targets),
  ]
}

/** A relation field as its author declares it, with its target collection. */
interface RelationEnd {
  readonly draft: ResourceDraft
  readonly field: Writable<ResourceField>
  readonly declared: RelationField | ToManyField
  readonly target: ResourceDraft | undefined
}

function relationEndsOf(draft: ResourceDraft, targets: ReadonlyMap<string, ResourceDraft>): RelationEnd[] {
  return Object.entries(draft.source.definition.fields).flatMap(([name, declared]) => {
    const field = draft.fields.get(name)
    const isRelation = declared instanceof RelationField || declared instanceof ToManyField
    return field && isRelation ? [{ draft, field, declared, target: targets.get(declared.target) }] : []
  })
}

function linkRelation(end: RelationEnd, targets: ReadonlyMap<string, ResourceDraft>): Mistake[] {
  const { draft, field, declared, target } = end
  const mistake = (message: string) => ({ file: draft.source.file, message: `field "${field.name}" ${message}` })
  const unfit = findTargetMistake(declared.rules, targets)
  if (unfit) return [{ ...unfit, ...mistake(unfit.message) }]
  if (target === undefined) return []
  if (declared instanceof RelationField) {
    field.target = target.resource
    field.type = Object.freeze(declared.compileFor(target.resource.id.type))
    const { onDelete = "restrict" } = declared.rules
    field.relation = { kind: "belongsTo", target: target.resource, onDelete }
    const misfit = findDefaultProblem(field)
    if (misfit !== undefined) return [mistake(misfit)]
    const isGlobal = draft.resource.kind === "global" && onDelete === "cascade"
    return isGlobal ? [mistake('has .onDelete("cascade"), but a global is not deleted. Use "setNull".')] : []
  }
  const linked = toManyRelation(end, declared, target)
  if (typeof linked === "string") return [mistake(linked)]
  field.relation = linked
  field.type = Object.freeze(declared.compileFor(target.resource.id.type))
  return []
}

function findDefaultProblem({ type, default: value }: ResourceField): string | undefined {
  if (value === undefined || typeof value === "function") return undefined
  const parsed = type.parse(value)
  return isProblem(parsed) ? `has a default that does not fit: ${parsed.problem}` : undefined
}

function toManyRelation(
  { draft, field }: RelationEnd,
  declared: ToManyField,
  target: ResourceDraft,
): ToManyRelation | string {
  const { way } = declared.rules
  const { resource } = draft
  if (resource.kind === "global")
    return "is a relation to many records, which a global cannot have. Use a collection, or a relation to one record."
  if (way.kind === "manyToMany") {
    if (way.isOrdered && orderedOtherEnd(draft, { field, through: way.through, target }))
      return `is ordered, and so is the other side of the relation in "${target.resource.name}". The links have one order. Leave out \`ordered\` on one side.`
    const link = linkOf(draft, { field, through: way.through, target })
    return {
      kind: "manyToMany",
      target: target.resource,
      link: linkInStage(link, draft, otherEnd(way.through, target)),
    }
  }
  const belongsTo = target.source.definition.fields
  const via = Object.hasOwn(belongsTo, way.via) ? belongsTo[way.via] : undefined
  const viaField = target.fields.get(way.via)
  if (via === undefined || viaField === undefined) {
    const hint = didYouMean(way.via, Object.keys(belongsTo))
    return `is reached via "${way.via}", which is not a field of "${target.resource.name}".${hint}`
  }
  if (!(via instanceof RelationField) || via.target !== resource.name)
    return `is reached via "${way.via}" of "${target.resource.name}", which does not point to "${resource.name}". Name a field with f.relation("${resource.name}").`
  return { kind: "hasMany", target: target.resource, via: viaField }
}

// Returns the target collection if it declares the other end of the relation, which is a field with the same `through`.
// Otherwise returns undefined: the target's records have no links of their own.
function otherEnd(through: string | undefined, target: ResourceDraft): ResourceDraft | undefined {
  const fields = Object.values(target.source.definition.fields)
  return through !== undefined && fields.some((field) => throughOf(field) === through) ? target : undefined
}

// Returns the link table for a stage. A stage copy of a record has its own links, as they were at the transition. If a
// collection relates to itself, the links from a record and the links to a record are in different tables, because the
// stage copies of the records at the two ends may have different links.
function linkInStage(link: Link, own: ResourceDraft, other: ResourceDraft | undefined): Link {
  const owner = own.stage === undefined ? other : own
  const { stage } = owner ?? {}
  if (owner === undefined || stage === undefined) return link
  const inStage = (name: string) => (link.own === "target" ? [name, "target"] : [name])
  const [table = link.table, ...earlierTables] = [link.table, ...link.earlierTables].flatMap((working) =>
    namesOf(owner.source.definition).map((name) => stageLinkTable(working, inStage(name), stage)),
  )
  return { ...link, table, earlierTables }
}

interface DeclaredLink {
  readonly field: ResourceField
  readonly through: string | undefined
  readonly target: ResourceDraft
}

function linkOf(draft: ResourceDraft, declared: DeclaredLink): Link {
  const { resource, source } = draft
  const { field, through, target } = declared
  const [table = "", ...earlierTables] = linkTableNames(draft, declared)
  const tables = { table, earlierTables, ordered: orderedEnd(draft, declared) }
  const other = target.resource
  if (resource.name !== other.name)
    return { ...tables, own: columnNamed(resource.name), other: columnNamed(other.name) }
  // If both ends of a relation are fields of the same collection, the field that is declared first is the source.
  const first = Object.entries(source.definition.fields).find(([, each]) => throughOf(each) === through)
  const isSource = through === undefined || first?.[0] === field.name
  return isSource ? { ...tables, own: "source", other: "target" } : { ...tables, own: "target", other: "source" }
}

function orderedEnd(draft: ResourceDraft, declared: DeclaredLink): Link["ordered"] {
  if (isOrdered(draft.source.definition.fields[declared.field.name])) return "own"
  return orderedOtherEnd(draft, declared) ? "other" : undefined
}

// True if the target collection declares the other end of the relation, and that end is ordered.
function orderedOtherEnd({ source }: ResourceDraft, { field, through, target }: DeclaredLink): boolean {
  if (through === undefined) return false
  const isOwnEnd = (name: string) => target.source === source && name === field.name
  return Object.entries(target.source.definition.fields).some(
    ([name, each]) => throughOf(each) === through && !isOwnEnd(name) && isOrdered(each),
  )
}

// Returns the link table's current name, then all names that it may have had. The table is named after the collection,
// the field and the target collection, each of which may have been renamed.
function linkTableNames({ source }: ResourceDraft, { field, through, target }: DeclaredLink): string[] {
  if (through !== undefined) return [databaseName([through, "links"])]
  return namesOf(source.definition).flatMap((own) =>
    namesOf(field).flatMap((name) =>
      namesOf(target.source.definition).map((other) => databaseName([own, name, other, "links"])),
    ),
  )
}

function namesOf({
  name,
  renamedFrom,
}: {
  readonly name: string
  readonly renamedFrom?: string | undefined
}): string[] {
  return renamedFrom === undefined ? [name] : [name, renamedFrom]
}

function columnNamed(collection: string): string {
  return databaseName([`${collection}_id`])
}

function throughOf(field: unknown): string | undefined {
  if (!(field instanceof ToManyField) || field.rules.way.kind !== "manyToMany") return undefined
  return field.rules.way.through
}

function isOrdered(field: unknown): boolean {
  return field instanceof ToManyField && field.rules.way.kind === "manyToMany" && field.rules.way.isOrdered
}

/** Returns the link tables of all manyToMany relations. A table that two relations share is returned once. */
export function findLinkTables(drafts: readonly ResourceDraft[]): LinkTable[] {
  const definitions = new Map(drafts.map(({ resource, source }) => [resource as Resource, source.definition]))
  const tables = new Map<string, LinkTable>()
  for (const { draft, field } of drafts.flatMap(fieldsWithDraft)) {
    const { relation } = field
    if (relation?.kind !== "manyToMany" || tables.has(relation.link.table)) continue
    const { link, target } = relation
    const column = (name: string, end: Resource) =>
      linkColumn(link.table, { name, target: end, renamedFrom: definitions.get(end)?.renamedFrom })
    const ends = [column(link.own, draft.resource), column(link.other, target)] as const
    // The columns are sorted, so that their order does not depend on which end of the relation is compiled first.
    const [first, second] = ends[0].name < ends[1].name ? ends : [ends[1], ends[0]]
    const columns = [first, second] as const
    const renamedField = renamedInVersions(draft.resource, field)
    const orderedBy = link.ordered && link[link.ordered]
    tables.set(link.table, { name: link.table, earlierNames: link.earlierTables, renamedField, columns, orderedBy })
  }
  return [...tables.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
}

function fieldsWithDraft(draft: ResourceDraft): { draft: ResourceDraft; field: ResourceField }[] {
  return [...draft.fields.values()].map((field) => ({ draft, field }))
}

interface LinkColumnInput {
  readonly name: string
  readonly target: Resource
  /** The previous name of the collection to which the link column refers. */
  readonly renamedFrom: string | undefined
}

function linkColumn(table: string, { name, target, renamedFrom }: LinkColumnInput): LinkTable["columns"][number] {
  const isNamedAfter = renamedFrom !== undefined && name === columnNamed(target.name)
  return {
    name,
    target,
    renamedFrom: isNamedAfter ? columnNamed(renamedFrom) : undefined,
    key: databaseName([table, name, "key"]),
  }
}

function renamedInVersions(
  { table, versions }: Resource,
  { name, renamedFrom }: ResourceField,
): LinkTable["renamedField"] {
  return versions && renamedFrom !== undefined ? { table, from: renamedFrom, to: name } : undefined
}

// Finds each field whose `through` name belongs to another relation. Only the two ends of one relation may share it.
function findLinkMistakes(drafts: readonly ResourceDraft[]): Mistake[] {
  const seen = new Map<string, { owner: string; target: string; count: number }>()
  return drafts.flatMap(({ source: { file, definition } }) =>
    Object.entries(definition.fields).flatMap(([name, field]) => {
      const through = throughOf(field)
      if (through === undefined || !(field instanceof ToManyField)) return []
      const first = seen.get(through)
      if (first === undefined) seen.set(through, { owner: definition.name, target: field.target, count: 1 })
      const isOtherSide = first?.owner === field.target && first.target === definition.name && first.count === 1
      if (first) first.count += 1
      if (first === undefined || isOtherSide) return []
      const message = `field "${name}" goes through "${through}", which is not the other side of the relation. Choose another name.`
      return [{ file, message }]
    }),
  )
}
