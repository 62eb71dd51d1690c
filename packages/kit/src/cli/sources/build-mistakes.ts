import type { Mistake } from "../../schema/compile/compile.ts"

interface BuildMessage {
  readonly text: string
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null
}

/** Converts the compiler's errors into mistakes in the author's files; rethrows any other error. */
export function buildMistakes(error: unknown): readonly Mistake[] {
  if (!(error instanceof Error) || !("errors" in error) || !Array.isArray(error.errors)) throw error
  // The cast is safe: an error of the compiler (esbuild) has a list of messages in `errors`.
  const messages = error.errors as readonly BuildMessage[]
  return messages.map(({ text, location }) => ({ file: positionOf(location), message: text }))
}

function positionOf(location: BuildMessage["location"]): string {
  return location === null ? "the compiler" : `${location.file}:${location.line}:${location.column + 1}`
}
