import type { Mistake } from "../../schema/compile/compile.ts"

interface BuildMessage {
  readonly text: string
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null
}

/** What the compiler found wrong with the author's files; any other failure is thrown on. */
export function buildMistakes(error: unknown): readonly Mistake[] {
  if (!(error instanceof Error) || !("errors" in error) || !Array.isArray(error.errors)) throw error
  // What a failed build throws lists its messages.
  const messages = error.errors as readonly BuildMessage[]
  return messages.map(({ text, location }) => ({ file: placeOf(location), message: text }))
}

function placeOf(location: BuildMessage["location"]): string {
  return location === null ? "the compiler" : `${location.file}:${location.line}:${location.column + 1}`
}
