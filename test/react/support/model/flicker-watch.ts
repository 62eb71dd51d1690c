/** The position of each stored title in the order of the writes. */
type Commits = ReadonlyMap<string, number>

/** An own write of a schedule, as its page knows it. */
export interface OwnWrite {
  readonly kind: "patch" | "insert" | "remove"
  /** The id of the changed record; for an insert, the title of the new one. */
  readonly target: string
  /** The title that the write sets; each write has another one. Undefined if it sets another field. */
  readonly title?: string | undefined
  hasFailed: boolean
}

/** A record as a component shows it. */
export interface ShownTask {
  readonly id: string
  readonly title: string
}

/** Looks at every list that React has committed, and notes what is neither old nor new. */
export class FlickerWatch {
  readonly faults: string[] = []
  readonly #commits: Commits
  readonly #writes: OwnWrite[] = []
  /** The new titles that each component has shown. */
  readonly #seen = new Map<string, Set<string>>()

  constructor(commits: Commits) {
    this.#commits = commits
  }

  /** Called when an own write begins. */
  begin(write: OwnWrite): void {
    this.#writes.push(write)
  }

  /** Called with the tasks of each commit. A component that is mounted again has another name. */
  look(component: string, tasks: readonly ShownTask[]): void {
    for (const of of ["id", "title"] as const) {
      const twice = tasks.find((task, index) => tasks.findIndex((other) => other[of] === task[of]) !== index)
      if (twice) this.#fault(component, `shows ${twice.title} twice`)
    }
    for (const task of tasks) this.#lookAtTask(component, task)
    this.#lookForInserts(component, tasks)
  }

  #lookAtTask(component: string, { id, title }: ShownTask): void {
    for (const write of this.#writes.filter(({ target, hasFailed }) => target === id && !hasFailed)) {
      if (write.kind === "remove") this.#fault(component, `shows ${title}, which is removed`)
      if (write.title !== undefined && !this.#isNotOlder(title, write)) {
        this.#fault(component, `shows ${title} of ${id}, which is older than ${write.title}`)
      }
    }
  }

  // True if the title is that of the write, of an own write that began later, or of a write that was stored later.
  #isNotOlder(title: string, write: OwnWrite): boolean {
    const source = this.#writes.find((other) => other.title === title && !other.hasFailed)
    if (source && this.#writes.indexOf(source) >= this.#writes.indexOf(write)) return true
    return (this.#commits.get(title) ?? 0) > (this.#commits.get(write.title ?? "") ?? Number.POSITIVE_INFINITY)
  }

  #lookForInserts(component: string, tasks: readonly ShownTask[]): void {
    const seen = this.#seen.get(component) ?? new Set()
    this.#seen.set(component, seen)
    for (const { title, hasFailed } of this.#writes.filter(({ kind }) => kind === "insert")) {
      const isShown = tasks.some((task) => task.title === title)
      if (title !== undefined && isShown) seen.add(title)
      else if (title !== undefined && seen.has(title) && !hasFailed) this.#fault(component, `has lost ${title}`)
    }
  }

  #fault(component: string, what: string): void {
    this.faults.push(`${Date.now()} ms: ${component} ${what}`)
  }
}
