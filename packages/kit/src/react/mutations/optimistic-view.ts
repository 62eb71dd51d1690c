import type { ClientParts } from "../../client/client-parts.ts"
import type { HandleFacts } from "../../client/handle-facts.ts"
import type { Handle } from "../../wire/realtime/handle.ts"
import type { CollectionTypes, GlobalTypes } from "../../wire/typed/app-config.ts"
import { factsOf } from "../reads/facts-of.ts"
import type { Change, ChangeScope } from "./change.ts"
import { isRecord, type RecordFields } from "./result-records.ts"

/** Names the records that an optimistic mutation changes. It has no effect on the server. */
export interface OptimisticView {
  /** Changes fields of a record wherever a page, a group or a result of one record shows it. */
  patch<Types extends CollectionTypes>(
    collection: Handle<"collection", Types>,
    id: string,
    data: NoInfer<PatchedRecord<Types>>,
  ): void
  /**
   * Adds a record to the pages to which it plainly belongs. Give all that these pages show of it. Without an `id`, it
   * has a temporary one until the mutation returns the record.
   */
  insert<Types extends CollectionTypes>(
    collection: Handle<"collection", Types>,
    data: NoInfer<InsertedRecord<Types>>,
  ): void
  /** Removes a record from all results. */
  remove(collection: Handle<"collection">, id: string): void
  /** Changes fields of a global. */
  set<Types extends GlobalTypes>(global: Handle<"global", Types>, data: NoInfer<Types["update"]>): void
  /**
   * Returns a view on the records in this stage and locale. Other views change what is shown without a stage, in the
   * client's locale.
   */
  in(scope: ChangeScope): OptimisticView
}

/** The changed fields of a record: as `update` takes them, or as a page shows them, such as the stage it moves to. */
export type PatchedRecord<Types extends CollectionTypes> = Types["update"] | ShownFields<Types>

/** The fields of a new record: as a page shows them, or as `create` takes them. */
export type InsertedRecord<Types extends CollectionTypes> = Types["create"] | ShownFields<Types>

type ShownFields<Types extends CollectionTypes> = {
  readonly [Field in Exclude<keyof Types["record"], keyof Types["relations"]>]?: Types["record"][Field]
} & { readonly [Relation in keyof Types["relations"]]?: unknown }

// A record with a temporary id exists only on this page: no write can name it.
const TEMPORARY = "temporary:"

/** Calls a mutation's `optimistic` function, and returns the changes that it has requested, by client. */
export function changesOf(describe: (view: OptimisticView) => unknown, write: string): Map<ClientParts, Change[]> {
  const changes = new Map<ClientParts, Change[]>()
  let inserted = 0
  const add = (handle: Handle, change: (facts: HandleFacts) => Change) => {
    const facts = factsOf(handle, "an optimistic change")
    changes.set(facts.parts, [...(changes.get(facts.parts) ?? []), change(facts)])
  }
  const viewIn = (given: ChangeScope): OptimisticView => {
    const placeOf = ({ resource, parts }: HandleFacts) => ({
      resource,
      scope: { locale: parts.transport.locale, ...given },
    })
    return {
      patch: (handle, id, data) =>
        add(handle, (facts) => ({ kind: "patch", ...placeOf(facts), id, data: fieldsIn(data) })),
      insert: (handle, data) => {
        const fields = { id: `${TEMPORARY}${write}:${inserted++}`, ...fieldsIn(data) }
        const isTemporary = fields.id.startsWith(TEMPORARY)
        add(handle, (facts) => ({ kind: "insert", ...placeOf(facts), data: fields, isTemporary }))
      },
      remove: (handle, id) => add(handle, ({ resource }) => ({ kind: "remove", resource, id })),
      set: (handle, data) => add(handle, (facts) => ({ kind: "set", ...placeOf(facts), data: fieldsIn(data) })),
      in: (scope) => viewIn({ ...given, ...scope }),
    }
  }
  describe(viewIn({}))
  return changes
}

function fieldsIn(data: unknown): RecordFields {
  if (isRecord(data)) return data
  throw new TypeError("The data of an optimistic change must be an object of fields.")
}
