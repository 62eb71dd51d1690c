import type { PublicComparison, Resource, ResourceField, StageCopies } from "../compile/resource.ts"
import { fieldSet } from "../fields/field-set.ts"

/** The name of the field that says whether a record has changed since it was published. */
export const CHANGED_SINCE_PUBLISHED = "changedSincePublished"

const flagType = Object.freeze(fieldSet.boolean().compile())

/** Returns the field that says whether a working copy differs from its public copy. It has no column. */
export function compileChangedSincePublished(make: MakeField): ResourceField {
  return { ...make(CHANGED_SINCE_PUBLISHED, flagType), isStored: false, required: false }
}

type MakeField = (name: string, type: ResourceField["type"]) => ResourceField

/**
 * Sets in a draft with this field what the field compares. That needs the tables of the public stage, which are compiled
 * after those of the working copies.
 */
export function withPublicComparison<Draft extends UnfinishedResource>(
  draft: Draft,
  stages: readonly StageCopies[],
): Draft {
  const field = draft.fields.get(CHANGED_SINCE_PUBLISHED)
  const copies = publicCopiesOf(draft.resource, stages)
  if (field && copies) field.comparison = Object.freeze({ copies, fields: comparedFields(draft.resource, copies) })
  return draft
}

interface UnfinishedResource {
  readonly resource: Resource
  readonly fields: ReadonlyMap<string, { comparison?: PublicComparison }>
}

function publicCopiesOf({ table, workflow }: Resource, stages: readonly StageCopies[]): StageCopies | undefined {
  return stages.find(({ resource, stage }) => resource.working?.table === table && stage === workflow?.public)
}

// Returns the fields of the author that a transition copies: those with a column, and then the relations with links.
// Values that are compared quickly come first, because the comparison ends with the first difference.
function comparedFields({ columns, id, fields }: Resource, { links }: StageCopies): PublicComparison["fields"] {
  const stored = columns.filter((field) => !field.system && field !== id)
  const sorted = [0, 1, 2].flatMap((cost) => stored.filter((field) => costOfComparison(field) === cost))
  const copied = new Set(links.map(({ name }) => name))
  const linked = [...fields.values()].filter(({ name }) => copied.has(name))
  return Object.freeze([...sorted, ...linked])
}

// Texts of unequal length differ without being read. JSON is always read in full.
function costOfComparison({ type, localized }: ResourceField): 0 | 1 | 2 {
  if (type.sqlType === "jsonb" || localized !== undefined) return 2
  return type.sqlType === "text" || type.sqlType.endsWith("[]") ? 1 : 0
}
