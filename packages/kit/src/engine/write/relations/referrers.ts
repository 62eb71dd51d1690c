import type {
  AppSchema,
  FieldReference,
  LinkTable,
  OnDelete,
  Resource,
  ResourceField,
} from "../../../schema/compile/resource.ts"
import { referencedTable } from "../../../sql/references/referenced-table.ts"

/** A field whose values are the ids of another resource's records, or have parts that are. */
export type Referrer = ReferringField | ReferringParts

interface ReferringField {
  readonly resource: Resource
  readonly field: ResourceField
  readonly onDelete: OnDelete
  readonly parts?: undefined
}

/** A field by parts of which records refer to another resource's records. All of these parts have the same `onDelete`. */
export interface ReferringParts {
  readonly resource: Resource
  readonly field: ResourceField
  readonly onDelete: FieldReference["onDelete"]
  readonly parts: readonly FieldReference[]
}

interface Referrers {
  readonly fields: readonly Referrer[]
  readonly links: readonly LinkEnd[]
}

/** A link table, with the column that holds the ids of one of its two resources. */
export interface LinkEnd {
  readonly table: LinkTable
  readonly column: string
}

const known = new WeakMap<Resource, Referrers>()

/** Returns all fields and link tables that can point to records of the target resource. */
export function referrersOf(schema: AppSchema, target: Resource): Referrers {
  const found = known.get(target) ?? findReferrers(schema, target)
  known.set(target, found)
  return found
}

export function hasReferrers(schema: AppSchema, target: Resource): boolean {
  const { fields, links } = referrersOf(schema, target)
  // A workflow counts too, because the copies of a record in its stages must be deleted together with the record.
  return fields.length + links.length > 0 || target.workflow !== undefined
}

function findReferrers(schema: AppSchema, target: Resource): Referrers {
  const fields = schema.resources.flatMap((resource) =>
    [...resource.fields.values()].flatMap((field): ReferringField[] => {
      const { relation } = field
      if (relation?.kind !== "belongsTo" || relation.target !== target) return []
      return [{ resource, field, onDelete: relation.onDelete }]
    }),
  )
  const copies = schema.stages.flatMap(({ resource }) =>
    resource.foreignKeys.flatMap(({ field, target: { table } }): ReferringField[] => {
      const { relation } = field
      const isOne = relation?.kind === "belongsTo" && table === target.table
      return isOne ? [{ resource, field, onDelete: relation.onDelete }] : []
    }),
  )
  const links = schema.links.flatMap((table) =>
    table.columns
      .filter((column) => column.target.table === target.table)
      .map((column) => ({ table, column: column.name })),
  )
  return { fields: [...fields, ...copies, ...findReferringParts(schema, target)], links }
}

function findReferringParts({ tables }: AppSchema, target: Resource): ReferringParts[] {
  return tables.flatMap((resource) =>
    resource.columns.flatMap((field) => {
      const referring = field.references.filter((part) => referencedTable(resource, part) === target.table)
      return PART_ON_DELETE.flatMap((onDelete) => {
        const parts = referring.filter((part) => part.onDelete === onDelete)
        return parts.length === 0 ? [] : [{ resource, field, onDelete, parts }]
      })
    }),
  )
}

const PART_ON_DELETE: readonly FieldReference["onDelete"][] = ["restrict", "setNull"]
