import type { RelationSchema } from "kit/client"
import { NoValue } from "../../parts/no-value.tsx"
import { Person } from "../../parts/person.tsx"
import type { CellProps } from "../cell-props.ts"

// The collection of the people who sign in has this name in every app.
const PEOPLE = "users"

/** The title of the related record, the first titles of several ones, or their number. */
export function RelationCell({ value, relation, count }: CellProps) {
  if (Array.isArray(value)) return <SeveralTitles records={value} relation={relation} count={count ?? value.length} />
  if (count !== undefined) return count === 0 ? <NoValue /> : <span className="number">{count}</span>
  const title = relatedTitle(value, relation)
  if (title === null) return <NoValue />
  const isPerson = relation?.targetCollection === PEOPLE && isRecord(value)
  return isPerson ? <Person id={value.id} name={title} /> : title
}

interface SeveralTitlesProps {
  readonly records: readonly unknown[]
  readonly relation: RelationSchema | undefined
  readonly count: number
}

function SeveralTitles({ records, relation, count }: SeveralTitlesProps) {
  if (count === 0) return <NoValue />
  const titles = records.flatMap((record) => relatedTitle(record, relation) ?? [])
  if (titles.length === 0) return <span className="number">{count}</span>
  return (
    <span title={titles.join(", ")}>
      {titles.join(", ")}
      {count > records.length && <span className="more number"> +{count - records.length}</span>}
    </span>
  )
}

/** Returns the title of a related record, or its id if the person may not read the title; null if there is none. */
export function relatedTitle(record: unknown, relation: RelationSchema | undefined): string | null {
  if (typeof record === "string") return record
  if (!isRecord(record)) return null
  const title = relation?.titleField ? record[relation.titleField] : undefined
  return title === null || title === undefined || title === "" ? record.id : String(title)
}

function isRecord(value: unknown): value is { readonly id: string; readonly [field: string]: unknown } {
  return value !== null && typeof value === "object" && "id" in value && typeof value.id === "string"
}
