import type { Mistake } from "../../schema/compile.ts"
import type { EmailDefinition } from "../../schema/email.ts"

/** A template and where it comes from. */
export interface SourcedEmail {
  readonly file: string
  /** The name that `sendTemplate` knows it by. */
  readonly key: string
  readonly definition: EmailDefinition
}

export type CompiledEmails = ReadonlyMap<string, EmailDefinition>

/** The templates by name, and everything that is wrong with them. */
export function compileEmails(sources: readonly SourcedEmail[]): {
  readonly emails: CompiledEmails
  readonly mistakes: readonly Mistake[]
} {
  const first = new Map<string, SourcedEmail>()
  const mistakes: Mistake[] = []
  for (const source of sources) {
    const other = first.get(source.key)
    if (other === undefined) first.set(source.key, source)
    else mistakes.push({ file: source.file, message: alreadyDeclared(source.key, other.file) })
  }
  return { emails: new Map([...first].map(([key, { definition }]) => [key, definition])), mistakes }
}

function alreadyDeclared(key: string, file: string): string {
  return `email "${key}" is already declared in ${file}. Rename one of them.`
}
