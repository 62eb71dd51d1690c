import type { Mistake } from "../../schema/compile/compile.ts"

/** Reports all mistakes in an app's files as one error, which prevents a start. Each line says how to fix a mistake. */
export class AppMistakesError extends Error {
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ file, message }) => `${file}: ${message}`).join("\n"))
    this.name = "AppMistakesError"
    this.mistakes = mistakes
  }
}
