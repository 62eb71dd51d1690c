import type { FieldSchema, FormPartSchema } from "kit/client"
import type { ResourceSchema } from "../../../kit/descriptions.ts"

/** Fields that stand together, under a heading if they have one. */
export interface FieldGroup {
  readonly label: string | null
  readonly fields: readonly string[]
}

export interface FormTab {
  readonly label: string | null
  readonly groups: readonly FieldGroup[]
}

/** Where each field of a form stands. */
export interface FormLayout {
  /** The field that is drawn as the title of the document, without a box. It stands above the first tab's groups. */
  readonly title: string | null
  readonly tabs: readonly FormTab[]
  readonly side: readonly FieldGroup[]
  /** True if nothing is declared about the form: then all inputs show their boxes. */
  readonly isPlain: boolean
}

// They are shown elsewhere: in the address, the header and the trash.
const HIDDEN = new Set(["id", "stage", "revision", "deletedAt", "changedSincePublished"])
const TIMES = new Set(["createdAt", "updatedAt"])
const LONG_TYPES = new Set(["textarea", "richText", "json", "object", "array", "blocks", "upload", "email", "url"])

/** Places the fields that the form shows: as the author has declared it, and otherwise by their kinds. */
export function layoutOf(schema: ResourceSchema, isShown: (field: FieldSchema) => boolean): FormLayout {
  const shown = Object.values(schema.fields).filter((field) => !HIDDEN.has(field.name) && isShown(field))
  const names = new Set(shown.map(({ name }) => name))
  const title = titleOf(schema, names)
  const declared = declaredParts(schema.form ?? [], (name) => names.has(name) && name !== title)
  const placed = new Set([title, ...[...declared.tabs, { groups: declared.side }].flatMap(fieldsOf)])
  const rest = shown.filter(({ name }) => !placed.has(name) && !TIMES.has(name))
  const isPlain = schema.form === null && title === null
  const [column, side] = isPlain
    ? [rest, []]
    : [rest.filter(isLong(schema)), rest.filter((field) => !isLong(schema)(field))]
  const times = shown.filter(({ name }) => TIMES.has(name) && !placed.has(name))
  return {
    title,
    isPlain,
    tabs: withoutEmpty(withGroup(declared.tabs, column)),
    side: [...declared.side, group(side), group(times)].filter(({ fields }) => fields.length > 0),
  }
}

function titleOf({ options, fields }: ResourceSchema, shown: ReadonlySet<string>): string | null {
  if (!options.title.defined) return null
  const { fieldName } = options.title
  return shown.has(fieldName) && fields[fieldName]?.type === "text" ? fieldName : null
}

interface DeclaredParts {
  readonly tabs: FormTab[]
  readonly side: FieldGroup[]
}

// Fields outside of all tabs are shown at the top of the first one.
function declaredParts(parts: readonly FormPartSchema[], isPlaced: (name: string) => boolean): DeclaredParts {
  const outside: FormPartSchema[] = []
  const tabs: FormTab[] = []
  const side: FieldGroup[] = []
  for (const part of parts) {
    if (typeof part === "string" || part.kind === "section") outside.push(part)
    else if (part.kind === "side") side.push(...groupsOf(part.parts, isPlaced))
    else tabs.push({ label: part.label, groups: groupsOf(part.parts, isPlaced) })
  }
  const first = groupsOf(outside, isPlaced)
  const [opening, ...further] = tabs
  if (opening === undefined) return { tabs: [{ label: null, groups: first }], side }
  return { tabs: [{ ...opening, groups: [...first, ...opening.groups] }, ...further], side }
}

function groupsOf(parts: readonly FormPartSchema[], isPlaced: (name: string) => boolean): FieldGroup[] {
  let groups: readonly FieldGroup[] = []
  for (const part of parts) groups = withPart(groups, part)
  return groups
    .map(({ label, fields }) => ({ label, fields: fields.filter(isPlaced) }))
    .filter(({ fields }) => fields.length > 0)
}

// Fields that follow each other without a heading stand together.
function withPart(groups: readonly FieldGroup[], part: FormPartSchema): readonly FieldGroup[] {
  if (typeof part === "string") {
    const last = groups.at(-1)
    if (last?.label !== null) return [...groups, { label: null, fields: [part] }]
    return [...groups.slice(0, -1), { label: null, fields: [...last.fields, part] }]
  }
  if (part.kind !== "section") return groups
  return [...groups, { label: part.label, fields: part.parts.filter((name) => typeof name === "string") }]
}

function isLong({ relations }: ResourceSchema): (field: FieldSchema) => boolean {
  return ({ name, type, limits, readOnly, unique }) => {
    if (relations[name]?.type === "hasMany") return true
    if (type !== "text") return LONG_TYPES.has(type)
    return !readOnly && !unique && limits.pattern === undefined
  }
}

function withGroup([first, ...others]: readonly FormTab[], fields: readonly FieldSchema[]): FormTab[] {
  if (first === undefined) return [{ label: null, groups: [group(fields)] }]
  if (fields.length === 0) return [first, ...others]
  return [{ ...first, groups: [...first.groups, group(fields)] }, ...others]
}

// A tab of which the person may know nothing is none; a form has one tab at least.
function withoutEmpty(tabs: readonly FormTab[]): readonly FormTab[] {
  const filled = tabs.filter(({ groups }) => groups.length > 0)
  return filled.length > 0 ? filled : tabs.slice(0, 1)
}

function group(fields: readonly FieldSchema[]): FieldGroup {
  return { label: null, fields: fields.map(({ name }) => name) }
}

function fieldsOf({ groups }: { readonly groups: readonly FieldGroup[] }): string[] {
  return groups.flatMap(({ fields }) => fields)
}
