import { databaseName } from "./names.ts"
import type { Link, Resource, ResourceField } from "./resource.ts"
import { stageLinks } from "./workflow.ts"

/** A collection at one end of links. */
interface LinkEnd {
  readonly resource: Pick<Resource, "name">
  readonly source: { readonly definition: { readonly renamedFrom?: string } }
  /** The stage whose copies it reads; none for what is worked on. */
  readonly stage: string | undefined
}

interface DeclaredLink {
  readonly field: Pick<ResourceField, "name" | "renamedFrom">
  readonly through: string | undefined
  readonly target: LinkEnd
  /** Where both ends are of one collection: whether the field looks from the first of them. */
  readonly isSource: boolean
  /** Whether the target declares the relation too. */
  readonly hasOtherEnd: boolean
}

/** The links of a manyToMany relation, and what they were called before something of it was renamed. */
export function linkOf(own: LinkEnd, declared: DeclaredLink): Link {
  const names = { own: own.resource.name, field: declared.field.name, other: declared.target.resource.name }
  const link = linkNamed(own, declared, names)
  // A rename stays declared after it has happened, so each of several may be to come, or not.
  const earlier = earlierNames(own, declared, names).map((each) => linkNamed(own, declared, each))
  const last = earlier.at(-1)
  if (last === undefined) return link
  return { ...link, earlier: { tables: earlier.map(({ table }) => table), own: last.own, other: last.other } }
}

interface LinkNames {
  readonly own: string
  readonly field: string
  readonly other: string
}

// The last ones are those from before everything.
function earlierNames({ source }: LinkEnd, { field, target }: DeclaredLink, names: LinkNames): readonly LinkNames[] {
  const ways = (now: string, before: string | undefined) => (before === undefined ? [now] : [now, before])
  const owns = ways(names.own, source.definition.renamedFrom)
  const others = ways(names.other, target.source.definition.renamedFrom)
  const fields = ways(names.field, field.renamedFrom)
  const all = owns.flatMap((own) => others.flatMap((other) => fields.map((name) => ({ own, other, field: name }))))
  return all.slice(1)
}

function linkNamed(own: LinkEnd, declared: DeclaredLink, names: LinkNames): Link {
  const { through, target, isSource } = declared
  const table = databaseName(
    through === undefined ? [names.own, names.field, names.other, "links"] : [through, "links"],
  )
  const isOfOne = own.resource.name === target.resource.name
  const link = isOfOne ? endsOfOne(isSource) : { own: columnNamed(names.own), other: columnNamed(names.other) }
  return { ...link, table: tableInStage({ table, ...link }, own, { declared, names }) }
}

function endsOfOne(isSource: boolean): Pick<Link, "own" | "other"> {
  return isSource ? { own: "source", other: "target" } : { own: "target", other: "source" }
}

function columnNamed(collection: string): string {
  return databaseName([`${collection}_id`])
}

// The links of a copy are those that the record had when it was copied. Those that it has as a target of its own collection
// are kept apart: they are not what the record at their source was copied with.
function tableInStage(
  { table, own: column }: Link,
  own: LinkEnd,
  { declared, names }: { readonly declared: DeclaredLink; readonly names: LinkNames },
): string {
  const { target, hasOtherEnd } = declared
  const other = hasOtherEnd ? target.stage : undefined
  const stage = own.stage ?? other
  if (stage === undefined) return table
  const name = own.stage === undefined ? names.other : names.own
  return stageLinks(table, column === "target" ? [name, "target"] : [name], stage)
}
