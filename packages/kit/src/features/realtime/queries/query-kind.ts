import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import type { LiveEngine } from "../live-engine.ts"
import type { Topic, TopicKind, TopicRequest } from "../topics/topic-kind.ts"
import type { TopicStream } from "../topics/topic-stream.ts"
import { LiveQueries, type QueryLimits } from "./live-queries.ts"
import { type QueryRequest, readQueryRequest } from "./query-request.ts"
import { QueryTopic } from "./query-topic.ts"

/** The kind of topic that is a live query. */
export class QueryKind implements TopicKind<QueryRequest> {
  readonly member = "topics"
  readonly read = readQueryRequest
  readonly #queries: LiveQueries

  constructor(engine: LiveEngine, limits: QueryLimits) {
    this.#queries = new LiveQueries(engine, limits)
  }

  owns(request: TopicRequest): request is QueryRequest {
    return request.kind === "collection" || request.kind === "global"
  }

  keyOf(request: QueryRequest): string {
    return JSON.stringify({ ...request, lastHash: undefined })
  }

  open(request: QueryRequest, stream: TopicStream): Topic {
    return new QueryTopic(request, { stream, queries: this.#queries })
  }

  onChanges(changes: readonly CommittedChange[]): Promise<void> {
    return this.#queries.onChanges(changes)
  }

  onGap(): void {
    this.#queries.refreshAll()
  }

  /** Does nothing, because live queries end with their subscribers. */
  close(): Promise<void> {
    return Promise.resolve()
  }
}
