import type { Statement } from "../ports/database.ts"
import type { FieldType } from "../schema/field-type.ts"
import { Parameters } from "./fragment.ts"
import type { Selection } from "./parse-selection.ts"
import type { Predicate } from "./predicate.ts"
import { type PageRead, pageParts, rowsMatching } from "./select.ts"

/**
 * One page as JSON text, the number of its records, and the total (null where the page itself tells it).
 * Undefined where Postgres would write a value otherwise than we do.
 */
export function selectPageAsJson(read: PageRead): Statement | undefined {
  const object = recordAsJson(read.selection)
  if (object === undefined) return undefined
  const parameters = new Parameters()
  const { text, where, table } = pageParts(read, parameters)
  const limit = parameters.add(read.window.limit)
  const page = `${text} limit ${limit} offset ${parameters.add(read.window.offset)}`
  const total = `case when count(*) < ${limit} then null else (select count(*)::int from ${table}${where}) end`
  return {
    text: `with page as materialized (${page}) select coalesce(json_agg(${object}), '[]')::text, count(*)::int, ${total} from page`,
    values: parameters.values,
  }
}

/** The records that satisfy the predicate, each as JSON text. */
export function selectMatchingAsJson(selection: Selection, predicate: Predicate): Statement | undefined {
  const object = recordAsJson(selection)
  if (object === undefined) return undefined
  const parameters = new Parameters()
  return {
    text: `select ${object}::text from (${rowsMatching(selection, predicate, parameters)}) page`,
    values: parameters.values,
  }
}

const AS_IT_IS = (column: string): string => column
const AS_TEXT = (column: string): string => `${column}::text`

/** How Postgres writes a stored type so that the JSON reads back as ours does; other types take the general path. */
const JSON_FORMS: ReadonlyMap<string, (column: string) => string> = new Map([
  ["uuid", AS_IT_IS],
  ["text", AS_IT_IS],
  ["boolean", AS_IT_IS],
  ["integer", AS_IT_IS],
  ["jsonb", AS_IT_IS],
  ["bigint", AS_TEXT],
  // JSON of our own has no negative zero.
  ["double precision", (column) => `(${column} + 0)`],
  ["timestamptz(3)", (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`],
])

function jsonForm({ sqlType, fromJson }: FieldType): ((column: string) => string) | undefined {
  // What is revived from JSON may be written otherwise than it is stored.
  if (sqlType === "jsonb" && fromJson) return undefined
  return sqlType.startsWith("numeric(") ? AS_TEXT : JSON_FORMS.get(sqlType)
}

// A function of Postgres takes 100 arguments: a name and a value for each member.
const MAX_MEMBERS = 50

const objects = new WeakMap<Selection, string | undefined>()

function recordAsJson(selection: Selection): string | undefined {
  if (!objects.has(selection)) objects.set(selection, jsonObject(selection, 0))
  return objects.get(selection)
}

// The columns are those of the select list: c0, c1 and so on, the record's own first, then each relation's.
function jsonObject(selection: Selection, start: number): string | undefined {
  if (selection.computed || selection.relations.some(({ many }) => many)) return undefined
  const related = relatedObjects(selection, start + selection.fields.length)
  const members = new Map<string, string | undefined>()
  for (const [index, { name, type }] of selection.fields.entries()) {
    members.set(name, jsonForm(type)?.(`c${start + index}`))
  }
  for (const [name, object] of related) members.set(name, object)
  if (members.size > MAX_MEMBERS || [...members.values()].includes(undefined)) return undefined
  return `json_build_object(${[...members].map(([name, value]) => `'${name}', ${value}`).join(", ")})`
}

function relatedObjects(selection: Selection, start: number): [name: string, object: string | undefined][] {
  let next = start
  return selection.relations.map(({ field, selection: inner }) => {
    const idAt = next + inner.fields.indexOf(inner.resource.id)
    const object = jsonObject(inner, next)
    next += widthOf(inner)
    return [field.name, object && `case when c${idAt} is null then null else ${object} end`]
  })
}

function widthOf(selection: Selection): number {
  return selection.relations.reduce((width, relation) => width + widthOf(relation.selection), selection.fields.length)
}
