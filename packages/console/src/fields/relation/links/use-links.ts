import { useFind, useLive } from "kit/react"
import { useMemo, useRef } from "react"
import { type Form, useForm } from "../../../form/form-context.ts"
import { type ConsoleRecord, collectionHandle, globalHandle } from "../../../kit/resources.ts"
import type { Face } from "../face.ts"
import { workingStage } from "../stage.ts"
import type { Target } from "../use-target.ts"
import type { LinksEdit, ShownLinks } from "./links-edit.ts"

/** A part of the links of a record. */
export interface LinkPage {
  readonly offset: number
  readonly limit: number
}

export interface Links extends ShownLinks {
  /** The number of all links that the person may see; undefined until they are read. */
  readonly count: number | undefined
  readonly error: Error | undefined
  /** Returns the face of a link or of an added record: undefined until it is read, null if the person may not see it. */
  readonly faceOf: (id: string) => Face | null | undefined
}

/** Follows a page of the records to which a field of the form's record leads, and reads those that the person has added. */
export function useLinks(
  field: string,
  target: Target | undefined,
  { edit, page }: { edit: LinksEdit; page: LinkPage },
): Links {
  const form = useForm()
  const isNew = form.resource.kind === "collection" && form.recordId === null
  const result = useLive(handleOf(form), target && !isNew ? linkOptions(field, { form, target, page }) : null)
  const known = useRef(new Map<string, Face>())
  const read = useMemo(() => readLinks(field, target, result.data), [field, target, result.data])
  for (const face of read?.faces ?? []) known.current.set(face.id, face)
  const added = useAddedFaces(target, unknownIds(edit, known.current), form.locale)
  for (const face of added ?? []) known.current.set(face.id, face)
  const ids = read?.faces.map(({ id }) => id) ?? []
  const count = isNew ? 0 : read?.count
  return {
    ids,
    hasStart: page.offset === 0,
    hasEnd: page.offset + ids.length >= (count ?? 0),
    count,
    error: result.error,
    faceOf: (id) => known.current.get(id) ?? (added === undefined ? undefined : null),
  }
}

function handleOf({ resource, recordId }: Form) {
  return resource.kind === "global"
    ? globalHandle(resource.name)
    : collectionHandle(resource.name).record(recordId ?? "")
}

interface LinkReading {
  readonly form: Form
  readonly target: Target
  readonly page: LinkPage
}

function linkOptions(field: string, { form, target, page }: LinkReading) {
  const { columns, with: related } = target.reading
  const stage = workingStage(form.resource)
  return {
    // Every record has an id, and no other field is needed.
    columns: { id: true },
    with: { [field]: { ...page, columns, with: related, _count: true } },
    locale: form.locale,
    ...(stage && { stage }),
  }
}

function readLinks(field: string, target: Target | undefined, data: unknown) {
  if (target === undefined || data === null || typeof data !== "object") return undefined
  // The answer has the relation that was asked for, and its count.
  const record = data as Record<string, readonly ConsoleRecord[]> & { _count?: Record<string, number> }
  const records = record[field] ?? []
  return { faces: records.map(target.reading.faceOf), count: record._count?.[field] ?? records.length }
}

function unknownIds({ connect = [], move = [] }: LinksEdit, known: ReadonlyMap<string, Face>): readonly string[] {
  return [...new Set([...connect, ...move].map(({ id }) => id))].filter((id) => !known.has(id))
}

function useAddedFaces(
  target: Target | undefined,
  ids: readonly string[],
  locale: string,
): readonly Face[] | undefined {
  const stage = target && workingStage(target.schema)
  const isNeeded = target !== undefined && ids.length > 0
  const found = useFind(
    collectionHandle(target?.schema.name ?? "_none"),
    isNeeded
      ? {
          where: { id: { in: ids } },
          columns: target.reading.columns,
          with: target.reading.with,
          limit: ids.length,
          total: false,
          locale,
          ...(stage && { stage }),
        }
      : null,
  )
  if (!isNeeded) return []
  // The records of a collection that is known by its description only.
  return (found.data?.docs as readonly ConsoleRecord[] | undefined)?.map(target.reading.faceOf)
}
