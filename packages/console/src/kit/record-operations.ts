import { client } from "./client.ts"
import { type ConsoleRecord, collectionHandle, globalHandle } from "./resources.ts"

/** A record, a record that is still to be created (its id is null), or a global. */
export type RecordPlace =
  | { readonly kind: "collection"; readonly name: string; readonly id: string | null }
  | { readonly kind: "global"; readonly name: string }

interface WriteSettings {
  /** The locale of the texts; that of the operations unless set. */
  readonly locale?: string
  /** The id of a record that did not exist when the form was opened. */
  readonly id?: string
  readonly expectedRevision?: number
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

/** The operations of a record screen, for a record of a collection or a global. */
export interface RecordOperations {
  /** Creates the record or changes it. Returns it as it is stored. */
  write(data: Record<string, unknown>, settings?: WriteSettings): Promise<ConsoleRecord>
  /** Reads the working copy again, in the locale of the operations or another one; null if it is not there any more. */
  reread(locale?: string): Promise<ConsoleRecord | null>
  move(stage: string, scheduledAt?: Date): Promise<unknown>
  cancelMove(): Promise<unknown>
}

interface ReadOptions {
  readonly locale: string
  readonly stage?: string
  readonly includeDeleted?: true
}

/**
 * Returns the operations of a record. All of them name the locale of the content, which is not the language of the
 * console: otherwise a text would be written in the wrong language.
 */
export function operationsOf(place: RecordPlace, options: ReadOptions): RecordOperations {
  return place.kind === "global" ? globalOperations(place.name, options) : collectionOperations(place, options)
}

function collectionOperations(
  { name, id }: Extract<RecordPlace, { kind: "collection" }>,
  { locale, stage, includeDeleted }: ReadOptions,
): RecordOperations {
  const handle = collectionHandle(name)
  const inLocale = { locale, localeFallback: false }
  const known = () => {
    if (id === null) throw new Error(`The new record of "${name}" has not been saved yet.`)
    return id
  }
  return {
    write: async (data, { expectedRevision, id: createdId, ...call } = {}) => {
      const target = createdId ?? id
      return asRecord(
        target === null
          ? await handle.create(data, { ...inLocale, ...call })
          : await handle.updateById(
              { id: target, data, ...(expectedRevision !== undefined && { expectedRevision }) },
              { ...inLocale, ...call },
            ),
      )
    },
    reread: async (other = locale) => {
      const where = { id: known() }
      const found = await handle.findOne({
        where,
        ...inLocale,
        locale: other,
        ...(stage !== undefined && { stage }),
        ...(includeDeleted && { includeDeleted }),
      })
      return found === null ? null : asRecord(found)
    },
    move: (to, scheduledAt) =>
      handle.transitionStage({ id: known(), stage: to, ...(scheduledAt && { scheduledAt }) }, { locale }),
    cancelMove: () => handle.cancelTransition({ id: known() }, { locale }),
  }
}

function globalOperations(name: string, { locale, stage }: ReadOptions): RecordOperations {
  const handle = globalHandle(name)
  const inLocale = { locale, localeFallback: false }
  return {
    write: async (data, { expectedRevision, id: _only, ...call } = {}) =>
      asRecord(
        await handle.update(data, {
          ...inLocale,
          ...call,
          ...(expectedRevision !== undefined && { expectedRevision }),
        }),
      ),
    reread: async (other = locale) => {
      const found = await handle.get({ ...inLocale, locale: other, ...(stage !== undefined && { stage }) })
      return found === null ? null : asRecord(found)
    },
    move: (to, scheduledAt) => handle.transitionStage({ stage: to, ...(scheduledAt && { scheduledAt }) }, { locale }),
    cancelMove: () => handle.cancelTransition({ locale }),
  }
}

/** Returns the address of the page that shows the record to readers, or null if there is none. */
export async function findPreviewUrl(
  place: RecordPlace,
  options: { stage?: string; locale: string },
): Promise<URL | null> {
  const id = place.kind === "collection" ? { id: place.id } : {}
  const response = await fetch(`${client.getBasePath()}/_kit/preview-url`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ resource: place.name, ...id, ...options }),
  })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
  const { url } = await response.json()
  return typeof url === "string" ? webAddress(url) : null
}

function webAddress(text: string): URL | null {
  const url = new URL(text, location.origin)
  return url.protocol === "http:" || url.protocol === "https:" ? url : null
}

// Every record that the API answers has an id.
function asRecord(record: unknown): ConsoleRecord {
  return record as ConsoleRecord
}
