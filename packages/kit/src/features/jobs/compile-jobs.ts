import type { JobDefinition } from "../../schema/builders/job.ts"
import type { Mistake } from "../../schema/compile/compile.ts"
import { findNameProblem } from "../../schema/compile/names.ts"

/** A job and the file that declares it. */
export interface SourcedJob {
  readonly file: string
  /** The job's name as a property of `queue`. */
  readonly key: string
  readonly definition: JobDefinition
}

export type CompiledJobs = ReadonlyMap<string, JobDefinition>

/** The name prefix that is reserved for the framework's own jobs. */
const OWN_PREFIX = "kit."

/** Returns the jobs by the names of their files, and all mistakes in their declarations. */
export function compileJobs(sources: readonly SourcedJob[]): {
  readonly jobs: CompiledJobs
  readonly mistakes: readonly Mistake[]
} {
  const accepted: SourcedJob[] = []
  const mistakes: Mistake[] = []
  for (const source of sources) {
    const message = findKeyProblem(source, accepted) ?? findJobNameProblem(source, accepted)
    if (message === undefined) accepted.push(source)
    else mistakes.push({ file: source.file, message })
  }
  return { jobs: new Map(accepted.map(({ key, definition }) => [key, definition])), mistakes }
}

function findKeyProblem({ key }: SourcedJob, others: readonly SourcedJob[]): string | undefined {
  const other = others.find((known) => known.key === key)
  if (other) return `job "${key}" is already declared in ${other.file}. Rename one of the files.`
  // A job must not be named `then`: JavaScript treats an object with a `then` property as a promise.
  const problem = key === "then" ? 'the name "then" belongs to promises. Rename the file.' : findNameProblem(key)
  return problem && `a job in queue is named after its file, and ${problem}`
}

function findJobNameProblem({ definition: { name } }: SourcedJob, others: readonly SourcedJob[]): string | undefined {
  if (name.startsWith(OWN_PREFIX)) {
    return `the name "${name}" starts with "${OWN_PREFIX}", as the jobs of the framework do. Choose another.`
  }
  const other = others.find(({ definition }) => definition.name === name)
  return (
    other &&
    `the job in ${other.file} is called "${name}" too. Give each a name of its own: stored jobs are identified by it.`
  )
}
