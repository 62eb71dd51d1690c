import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { PageWindow } from "../../wire/results/results.ts"
import { ALWAYS } from "../filter/predicate.ts"
import type { Selection } from "../parse/selection.ts"
import { selectMatching } from "../read/select.ts"
import { tablesOfRead } from "../read/tables-read.ts"
import { column, Parameters, quote } from "../text/fragment.ts"
import { AUTHORS_KEY, isNewestOfStage, isOfStage, isOfWorkingCopy, STAGE_KEY, VERSIONS_TABLE } from "./version-table.ts"
import { linkedFields, recordTable } from "./write-versions.ts"

/** The versions of a record that a caller may list. */
export interface ListedVersions {
  readonly id: string
  /** The stage whose versions are listed; of the initial stage, those of the working copy. Default: all versions. */
  readonly stage?: string | undefined
}

interface VersionPage extends ListedVersions {
  readonly window: PageWindow
}

/**
 * Selects a page of a record's versions, newest first. Each has the row as it was, and the properties of the version.
 */
export function selectVersions(selection: Selection, { window, ...listed }: VersionPage): Statement {
  const parameters = new Parameters()
  const which = isListed(selection.resource, listed, parameters)
  const [limit, offset] = [parameters.add(window.limit), parameters.add(window.offset)]
  const page = `${which} order by _version.number desc limit ${limit} offset ${offset}`
  const statement = selectFromVersions(selection, { which: page, values: parameters.values })
  return { ...statement, text: `${statement.text} order by ${numberColumn(selection)} desc` }
}

/** Returns the SQL condition that a version is one of those that are listed. */
export function isListed(resource: Resource, { id, stage }: ListedVersions, parameters: Parameters): string {
  const { table, id: key, versions, workflow } = resource
  const record = `_version.record = ${parameters.add(id)}`
  const now = `${quote(table)} _now where ${column("_now", key.name)} = ${parameters.add(id)}`
  const kept = isKept(resource, `(select ${column("_now", versions?.number.name ?? "")} from ${now})`)
  if (stage === undefined) return `${record} and ${kept}`
  const isCopied = stage !== workflow?.initial
  const ofStage = isCopied ? isOfStage("_version", parameters.add(stage)) : isOfWorkingCopy("_version")
  return `${record} and ${kept} and ${ofStage}`
}

/** Returns the name of the column of a version's number in a statement that selects versions. */
export function numberColumn({ fields }: Selection): string {
  return `c${fields.findIndex(({ name }) => name === "versionNumber")}`
}

// Returns the SQL condition that a version is not to be pruned. A write cannot yet prune the version that was the
// newest of a stage until this write, nor a version that a concurrent write adds. Such a version stays stored until the
// next write, but reads leave it out.
function isKept({ versions, workflow }: Resource, newest: string): string {
  // The newest version of each stage is kept even if it is older than the maximum number of versions.
  const isOfStage = workflow ? ` or ${isNewestOfStage("_version")}` : ""
  return `(_version.number > ${newest} - ${versions?.max ?? 0}${isOfStage})`
}

/** Selects a record's row as it was in one version. */
export function selectVersion(selection: Selection, versionId: string): Statement {
  return selectFromVersions(selection, { which: "_version.id = $1", values: [versionId] })
}

/** The versions that a statement selects. */
interface ChosenVersions {
  /** The SQL condition that a version is one of them, with the order and the limit of their rows. */
  readonly which: string
  /** The values of the placeholders. */
  readonly values: readonly unknown[]
  /** Completes the statement's text from the query for the rows. */
  readonly write?: (rows: string) => string
}

/**
 * Selects rows as they were in versions. The statement reads them under the name `_then` and not under the table's name,
 * because SQL written by the author may query the table itself.
 */
export function selectFromVersions(
  selection: Selection,
  { which, values, write = (rows) => rows }: ChosenVersions,
): Statement {
  const { resource } = selection
  const then = { ...selection, resource: { ...resource, table: "_then" } }
  const { text, values: bound } = selectMatching(then, ALWAYS)
  if (bound.length > 0) throw new Error("A read of versions must not bind values.")
  return {
    text: `with _then as materialized (${versionRows(resource)} and ${which}) ${write(text)}`,
    values,
    tablesRead: () => tablesOfRead({ selection, predicate: ALWAYS }),
  }
}

// The SQL of the properties of a version, by the name of the field in a response.
const VERSION_PROPERTIES: ReadonlyMap<string, string> = new Map([
  ["versionId", "_version.id"],
  ["versionNumber", "_version.number"],
  ["versionOperation", "_version.operation"],
  ["versionUserId", "_version.user_id"],
  ["versionCreatedAt", "_version.created_at"],
  ["versionStage", `_version.data->>'${STAGE_KEY}'`],
  [
    "versionAuthors",
    `coalesce(_version.data->'${AUTHORS_KEY}', to_jsonb(array_remove(array[_version.user_id], null)))`,
  ],
])

function versionRows(resource: Resource): string {
  const properties =
    resource.versions?.answerFields.map(({ name }) => `${VERSION_PROPERTIES.get(name)} as ${quote(name)}`) ?? []
  return `select ${["_row.*", ...properties].join(", ")} ${fromVersions(resource)} where ${isOf(resource)}`
}

// Returns the SQL that reads versions as rows. Columns dropped since then are left out, and columns added since then
// are null. The row type comes from a query, because a cast to the table's name could find a Postgres type of that name
// instead.
function fromVersions(resource: Resource): string {
  const row = `(select _type from ${quote(recordTable(resource))} _type limit 0)`
  return `from ${VERSIONS_TABLE} _version cross join lateral jsonb_populate_record(${row}, _version.data) _row`
}

/** Returns the SQL condition that a version is one of a record of the resource. */
export function isOf(resource: Resource): string {
  return `_version."table" = '${recordTable(resource)}'`
}

/** Identifies a version of a record, by its number or by its id. */
export type VersionChoice = { readonly number: number } | { readonly versionId: string }

/**
 * Compares a version with the current row, which may be that of a stage copy. Returns the version's id, a flag for each
 * field that has changed since, and the ids that each many-to-many relation had. Fields that the version does not hold
 * count as equal. Returns no row if the version does not exist.
 */
export function compareVersion(
  resource: Resource,
  fields: readonly ResourceField[],
  { id, choice }: { readonly id: string; readonly choice: VersionChoice },
): Statement {
  const { table, id: key } = resource
  const [which, value] = "number" in choice ? ["number", choice.number] : ["id", choice.versionId]
  const flags = fields.map(({ name }) => {
    const isOther = `${column("_now", name)} is distinct from ${column("_row", name)}`
    return `(_version.data ? '${name}' and ${isOther})`
  })
  const links = linkedFields(resource).map(({ name }) => `_version.data->'${name}'`)
  const columns = ["_version.id", ...flags, ...links].map((text, index) => `${text} as c${index}`)
  const kept = isKept(resource, newestNumber(resource))
  const where = `${isOf(resource)} and _version.record = $2 and _version.${which} = $3 and ${kept}`
  return {
    text: `select ${columns.join(", ")} ${fromVersions(resource)}
      join ${quote(table)} _now on ${column("_now", key.name)} = $1 where ${where}`,
    values: [id, id, value],
  }
}

// Returns the SQL of the number of the newest version of the row `_now`. Only the row of the working copy stores it.
function newestNumber({ versions, working, id }: Resource): string {
  const { name = "" } = versions?.number ?? {}
  if (working === undefined) return column("_now", name)
  const isSame = `${column("_working", id.name)} = ${column("_now", id.name)}`
  return `(select ${column("_working", name)} from ${quote(working.table)} _working where ${isSame})`
}

/**
 * Returns the common table expression `_chosen`: the row as it was in one version. `versionId` is the placeholder of
 * the version's id.
 */
export function chosenRow(resource: Resource, versionId: string): string {
  return `_chosen as materialized (select _row.* ${fromVersions(resource)} where ${isOf(resource)} and _version.id = ${versionId})`
}
