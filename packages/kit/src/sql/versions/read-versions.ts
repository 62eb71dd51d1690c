import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { PageWindow } from "../../wire/results/results.ts"
import { ALWAYS } from "../filter/predicate.ts"
import type { Selection } from "../parse/selection.ts"
import { selectMatching } from "../read/select.ts"
import { column, quote } from "../text/fragment.ts"
import { isNewestOfStage, STAGE_KEY, VERSIONS_TABLE } from "./version-table.ts"
import { linkedFields } from "./write-versions.ts"

/** Selects a page of the versions of a record, newest first: the old rows, and the properties of each version. */
export function selectVersions(
  selection: Selection,
  { id, window }: { readonly id: string; readonly window: PageWindow },
): Statement {
  const { table, id: key, versions } = selection.resource
  const now = `${quote(table)} _now where ${column("_now", key.name)} = $2`
  const count = `(select ${column("_now", versions?.number.name ?? "")} from ${now})`
  const page = `_version.record = $1 and ${isKept(selection.resource, count)} order by _version.number desc limit $3 offset $4`
  const { text, values } = selectFromVersions(selection, page, [id, id, window.limit, window.offset])
  const newest = selection.fields.findIndex(({ name }) => name === "versionNumber")
  return { text: `${text} order by c${newest} desc`, values }
}

// A write cannot prune the version that it replaces as the newest of a stage, or one that a concurrent write adds: it
// stays stored until the next write, and must be filtered out.
function isKept({ versions, workflow }: Resource, newest: string): string {
  // The newest version of each stage is kept for longer.
  const isOfStage = workflow ? ` or ${isNewestOfStage("_version")}` : ""
  return `(_version.number > ${newest} - ${versions?.max ?? 0}${isOfStage})`
}

/** Selects the row as it was in one version. */
export function selectVersion(selection: Selection, versionId: string): Statement {
  return selectFromVersions(selection, "_version.id = $1", [versionId])
}

// Reads the old rows in place of the current ones. The table keeps its name, because SQL of the author may query it.
function selectFromVersions(selection: Selection, which: string, values: readonly unknown[]): Statement {
  const { resource } = selection
  const then = { ...selection, resource: { ...resource, table: "_then" } }
  const { text, values: bound } = selectMatching(then, ALWAYS)
  if (bound.length > 0) throw new Error("A read of versions must not bind values.")
  return { text: `with _then as materialized (${versionRows(resource)} and ${which}) ${text}`, values }
}

const VERSION_PROPERTIES = ["id", "number", "operation", "user_id", "created_at", `data->>'${STAGE_KEY}'`]

function versionRows({ table, versions }: Resource): string {
  const properties =
    versions?.answerFields.map(({ name }, index) => `_version.${VERSION_PROPERTIES[index]} as ${quote(name)}`) ?? []
  return `select ${["_row.*", ...properties].join(", ")} ${fromVersions(table)} where ${isOf(table)}`
}

// Columns dropped since then are left out; columns added since then are null. The row type is taken from a query,
// because a cast to the table's name would fail to find it if Postgres has a type of the same name.
function fromVersions(table: string): string {
  const row = `(select _type from ${quote(table)} _type limit 0)`
  return `from ${VERSIONS_TABLE} _version cross join lateral jsonb_populate_record(${row}, _version.data) _row`
}

function isOf(table: string): string {
  return `_version."table" = '${table}'`
}

/** The number or the id of a version of a record. */
export type VersionChoice = { readonly number: number } | { readonly versionId: string }

/**
 * Compares a version with the current row. Returns its id, a flag for each field that has changed since, and the ids
 * that each many-to-many relation had. Fields that the version does not hold count as equal. Returns no row if the
 * version does not exist.
 */
export function compareVersion(
  resource: Resource,
  fields: readonly ResourceField[],
  { id, choice }: { readonly id: string; readonly choice: VersionChoice },
): Statement {
  const { table, id: key, versions } = resource
  const [which, value] = "number" in choice ? ["number", choice.number] : ["id", choice.versionId]
  const flags = fields.map(({ name }) => {
    const isOther = `${column("_now", name)} is distinct from ${column("_row", name)}`
    return `(_version.data ? '${name}' and ${isOther})`
  })
  const links = linkedFields(resource).map(({ name }) => `_version.data->'${name}'`)
  const columns = ["_version.id", ...flags, ...links].map((text, index) => `${text} as c${index}`)
  const kept = isKept(resource, column("_now", versions?.number.name ?? ""))
  const where = `${isOf(table)} and _version.record = $2 and _version.${which} = $3 and ${kept}`
  return {
    text: `select ${columns.join(", ")} ${fromVersions(table)}
      join ${quote(table)} _now on ${column("_now", key.name)} = $1 where ${where}`,
    values: [id, id, value],
  }
}

/** The common table expression `_chosen`: the row as it was in the version with the bound id. */
export function chosenRow(table: string, versionId: string): string {
  return `_chosen as materialized (select _row.* ${fromVersions(table)} where ${isOf(table)} and _version.id = ${versionId})`
}
