import type { EmailDefinition } from "../../schema/builders/email.ts"
import type { Mistake } from "../../schema/compile/compile.ts"
import { findNameProblem } from "../../schema/compile/names.ts"

/** An email template and the file that declares it. */
export interface SourcedEmail {
  readonly file: string
  /** The template's name in calls of `sendTemplate`. */
  readonly key: string
  readonly definition: EmailDefinition
}

export type CompiledEmails = ReadonlyMap<string, EmailDefinition>

/** Returns the email templates by name, and all mistakes in their declarations. */
export function compileEmails(sources: readonly SourcedEmail[]): {
  readonly emails: CompiledEmails
  readonly mistakes: readonly Mistake[]
} {
  const first = new Map<string, SourcedEmail>()
  const mistakes: Mistake[] = []
  for (const source of sources) {
    const message = findKeyProblem(source.key, first.get(source.key))
    if (message === undefined) first.set(source.key, source)
    else mistakes.push({ file: source.file, message })
  }
  return { emails: new Map([...first].map(([key, { definition }]) => [key, definition])), mistakes }
}

function findKeyProblem(key: string, other: SourcedEmail | undefined): string | undefined {
  if (other) return `email "${key}" is already declared in ${other.file}. Rename one of them.`
  const problem = findNameProblem(key)
  return problem && `an email is named after its file, and ${problem}`
}
