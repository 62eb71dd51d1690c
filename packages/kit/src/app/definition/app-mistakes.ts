import type { Mistake } from "../../schema/compile/compile.ts"

/** All mistakes in an app's files, in one error: the start stops, and each line says what to do. */
export class AppMistakesError extends Error {
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ file, message }) => `${file}: ${message}`).join("\n"))
    this.name = "AppMistakesError"
    this.mistakes = mistakes
  }
}
