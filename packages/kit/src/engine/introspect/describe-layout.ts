import { isSortable, type Resource, type ResourceField } from "../../schema/compile/resource.ts"
import type { FormPart, ListPresentation } from "../../schema/presentation/presentation.ts"
import type { Allowed, FormPartSchema, ListSchema, ListViewSchema } from "../../wire/results/introspection.ts"
import type { KnownNames, KnownRights } from "./known-rights.ts"
import type { Texts } from "./texts.ts"

type KnownFields = Pick<KnownNames, "fields">

/** Returns the description of a list of the records. It names only fields that the caller may read. */
export function describeList(resource: Resource, known: KnownRights, texts: Texts): ListSchema {
  const list = resource.presentation.list ?? {}
  const views = list.views ?? []
  return {
    columns: listColumns(resource, known),
    orderBy: readableOrder(list.orderBy, known),
    filters: (list.filters ?? []).map(String).filter((name) => isReadable(name, known)),
    views: views.flatMap((view) => describeView(view, known, texts)),
  }
}

/** Returns the columns of a list that the caller may read. */
function listColumns(resource: Resource, known: KnownFields): readonly string[] {
  const { names, max } = columnChoice(resource)
  return names.filter((name) => isReadable(name, known)).slice(0, max)
}

const MAX_DEFAULT_COLUMNS = 4

interface ColumnChoice {
  readonly names: readonly string[]
  /** How many of them are shown. Names that the caller may not read do not count, so that their number stays unknown. */
  readonly max: number
}

// The choice depends only on the declaration, and the index of a large app needs that of every resource.
const choices = new WeakMap<Resource, ColumnChoice>()

function columnChoice(resource: Resource): ColumnChoice {
  const choice = choices.get(resource) ?? chooseColumns(resource)
  choices.set(resource, choice)
  return choice
}

// Returns the columns that the author has declared. Without a declaration, they are the title and the first short fields.
function chooseColumns(resource: Resource): ColumnChoice {
  const declared = resource.presentation.list?.columns
  if (declared) return { names: declared, max: declared.length }
  const title = resource.title === undefined ? [] : [resource.title]
  const short = [...resource.fields.values()].filter(isShort).map(({ name }) => name)
  return { names: [...new Set([...title, ...short])], max: MAX_DEFAULT_COLUMNS }
}

// True if the field is one of the author's, and one short value.
function isShort(field: ResourceField): boolean {
  const isId = field.type.name === "id"
  return !field.system && !isId && isSortable(field) && field.type.name !== "textarea"
}

function isReadable(name: string, { fields }: KnownFields): boolean {
  return (fields.get(name)?.read ?? false) !== false
}

function readableOrder(orderBy: ListPresentation["orderBy"], known: KnownFields): ListSchema["orderBy"] {
  const keys = Object.entries(orderBy ?? {}).filter(([name]) => isReadable(name, known))
  return keys.length === 0 ? null : Object.fromEntries(keys)
}

type View = NonNullable<ListPresentation["views"]>[number]

// A view whose filter names a field that the caller may not read is left out, because a list with this filter would be
// refused.
function describeView({ label, where, orderBy, columns }: View, known: KnownRights, texts: Texts): ListViewSchema[] {
  if (where !== undefined && !known.mayFilterBy(where)) return []
  return [
    {
      label: texts.find(label) ?? "",
      where: where ?? null,
      orderBy: readableOrder(orderBy, known),
      columns: columns?.filter((name) => isReadable(name, known)) ?? null,
    },
  ]
}

/** Returns the layout of the form, with the fields that the caller may know. Groups without any are left out. */
export function describeForm(
  { presentation }: Resource,
  known: KnownFields,
  texts: Texts,
): readonly FormPartSchema[] | null {
  return presentation.form ? presentation.form.flatMap((part) => describePart(part, known, texts)) : null
}

function describePart(part: FormPart, known: KnownFields, texts: Texts): FormPartSchema[] {
  if (typeof part === "string") return known.fields.has(part) ? [part] : []
  const parts = part.parts.flatMap((inner) => describePart(inner, known, texts))
  if (parts.length === 0) return []
  if (part.kind === "side") return [{ kind: part.kind, parts }]
  return [{ kind: part.kind, label: texts.find(part.label) ?? "", parts }]
}

/**
 * Returns the name of the title field and the columns of the resource, as far as the caller may read them. Evaluates the
 * read rules of as few fields as it can.
 */
export async function indexedNames(
  resource: Resource,
  readField: (field: ResourceField) => Promise<Allowed>,
): Promise<{ readonly title: string | null; readonly columns: readonly string[] }> {
  const { names, max } = columnChoice(resource)
  const columns: string[] = []
  for (const name of names) {
    if (columns.length === max) break
    const field = resource.fields.get(name)
    if (field && (await readField(field))) columns.push(name)
  }
  const title = resource.fields.get(resource.title ?? "")
  return { title: title && (await readField(title)) ? title.name : null, columns }
}
