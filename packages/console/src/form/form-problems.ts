import { FieldListeners } from "./listeners.ts"

/** A problem of a value of a form, at its path as the API writes it: `body.0.title`. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** The problems of a form, by the last check of each field: by the page, by a dry run or by a save. */
export class FormProblems {
  #problems: readonly Problem[] = []
  readonly #listeners = new FieldListeners()

  all(): readonly Problem[] {
    return this.#problems
  }

  /** Returns what is wrong with the value at a path. */
  at(path: string): readonly string[] {
    return this.#problems.filter((problem) => problem.path === path).map(({ message }) => message)
  }

  /** Returns what is wrong with the value at a path and with its parts. */
  within(path: string): readonly string[] {
    const below = `${path}.`
    return this.#problems
      .filter((problem) => problem.path === path || problem.path.startsWith(below))
      .map(({ message }) => message)
  }

  /** Replaces the problems of a field. */
  setField(field: string, problems: readonly Problem[]): void {
    const before = this.#problems
    if (problems.length === 0 && !before.some((problem) => fieldOf(problem) === field)) return
    this.#problems = [...before.filter((problem) => fieldOf(problem) !== field), ...problems]
    this.#listeners.notify(field)
  }

  /** Replaces all problems. */
  setAll(problems: readonly Problem[]): void {
    const fields = new Set([...this.#problems, ...problems].map(fieldOf))
    this.#problems = problems
    for (const field of fields) this.#listeners.notify(field)
  }

  /** Calls back whenever the problems of the field, or with `null` of any field, have changed. Returns an unsubscribe function. */
  subscribe(field: string | null, listener: () => void): () => void {
    return this.#listeners.subscribe(field, listener)
  }
}

function fieldOf({ path }: Problem): string {
  return path.split(".", 1)[0] ?? path
}
