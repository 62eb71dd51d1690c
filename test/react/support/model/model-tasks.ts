import type { TopicConfig } from "../../../../packages/kit/src/wire/realtime/topic.ts"

/** A record of the model's only collection. `note` is a field that the lists do not select. */
export interface Task {
  readonly id: string
  readonly title: string
  readonly rank: number
  readonly note: string
}

/** The members of a live query that the model's reads know. */
export type ModelRead = Pick<TopicConfig, "orderBy" | "read">

/** The stored tasks, in the order of their creation. */
export class ModelTasks {
  #tasks: readonly Task[] = []
  #lastId = 0

  get all(): readonly Task[] {
    return this.#tasks
  }

  create(data: Partial<Task>): Task {
    const number = ++this.#lastId
    const task = { title: `task ${number}`, rank: number, note: "", ...data, id: `id-${number}` }
    this.#tasks = [...this.#tasks, task]
    return task
  }

  /** Returns the changed task; undefined if there is none with this id. */
  update(id: string, data: Partial<Task>): Task | undefined {
    this.#tasks = this.#tasks.map((task) => (task.id === id ? { ...task, ...data } : task))
    return this.#tasks.find((task) => task.id === id)
  }

  delete(id: string): Task | undefined {
    const found = this.#tasks.find((task) => task.id === id)
    this.#tasks = this.#tasks.filter((task) => task.id !== id)
    return found
  }

  /** Returns what the server would answer: a page, one task or null, or `{ count }`. */
  read({ orderBy, read: { operation = "find", id, columns } = {} }: ModelRead): object | null {
    if (operation === "count") return { count: this.#tasks.length }
    if (operation === "record") return this.#tasks.find((task) => task.id === id) ?? null
    const ordered = orderBy ? this.#tasks.toSorted((one, other) => one.rank - other.rank) : this.#tasks.toReversed()
    return pageOf(columns ? ordered.map(({ id, title }) => ({ id, title })) : ordered)
  }
}

function pageOf(docs: readonly object[]): object {
  const position = { limit: 100, totalPages: 1, page: 1, pagingCounter: 1, prevPage: null, nextPage: null }
  return { docs, totalDocs: docs.length, hasPrevPage: false, hasNextPage: false, ...position }
}
