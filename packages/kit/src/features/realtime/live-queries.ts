import { keyOfChange, type LiveRead } from "../../engine/operations/live.ts"
import type { NotedChange } from "../../sql/read-changes.ts"
import { LiveQuery, type LiveSubscriber, type QueryParts } from "./live-query.ts"
import { Turns } from "./turns.ts"

const MANY_CHANGES = 500

/** How a query is begun; while it is run, it tells of each resource that it turns out to read. */
interface QueryStart {
  readonly read: LiveRead
  run(onRead: (resource: string) => void): Promise<string>
}

/** All live queries of this process: equal ones are one, and each is found by the resources it reads. */
export class LiveQueries {
  readonly #queries = new Map<string, LiveQuery>()
  readonly #byResource = new Map<string, Set<LiveQuery>>()
  readonly #turns: Turns
  readonly #isTemporary: QueryParts["isTemporary"]

  constructor({ atOnce, isTemporary }: { readonly atOnce: number } & Pick<QueryParts, "isTemporary">) {
    this.#turns = new Turns(atOnce)
    this.#isTemporary = isTemporary
  }

  get isEmpty(): boolean {
    return this.#queries.size === 0
  }

  /** Subscribes to the query of this key, which is begun with the first subscriber. Returns how it is left. */
  join(key: string, subscriber: LiveSubscriber, start: QueryStart): () => void {
    const query = this.#queries.get(key) ?? this.#begin(key, start)
    query.add(subscriber)
    return () => {
      query.remove(subscriber)
      if (query.isEmpty) this.#end(key, query)
    }
  }

  /** Runs again what the changes may touch. */
  follow(changes: readonly NotedChange[]): void {
    for (const [resource, own] of byResource(changes)) {
      // To look at so many costs more than to ask the database.
      const areMany = own.length > MANY_CHANGES
      const queries = [...(this.#byResource.get(resource) ?? [])]
      for (const query of queries.filter((each) => areMany || each.isTouchedBy(own))) query.refresh()
    }
  }

  refreshAll(): void {
    for (const query of this.#queries.values()) query.refresh()
  }

  #begin(key: string, { read, run }: QueryStart): LiveQuery {
    const query = new LiveQuery({
      read,
      run: () => run((resource) => !query.isEmpty && this.#note(query, resource)),
      turns: this.#turns,
      isTemporary: this.#isTemporary,
    })
    this.#queries.set(key, query)
    for (const resource of read.reads) this.#note(query, resource)
    return query
  }

  #note(query: LiveQuery, resource: string): void {
    const others = this.#byResource.get(resource)
    if (others) others.add(query)
    else this.#byResource.set(resource, new Set([query]))
  }

  #end(key: string, query: LiveQuery): void {
    if (this.#queries.get(key) !== query) return
    this.#queries.delete(key)
    for (const resource of query.read.reads) {
      const others = this.#byResource.get(resource)
      others?.delete(query)
      if (others?.size === 0) this.#byResource.delete(resource)
    }
  }
}

function byResource(changes: readonly NotedChange[]): ReadonlyMap<string, readonly NotedChange[]> {
  const groups = new Map<string, NotedChange[]>()
  for (const change of changes) {
    const key = keyOfChange(change)
    const group = groups.get(key)
    if (group) group.push(change)
    else groups.set(key, [change])
  }
  return groups
}
