import type { ServiceDefinition } from "../../schema/builders/service.ts"
import type { Mistake } from "../../schema/compile/compile.ts"
import { findServiceNameProblem } from "../../schema/compile/names.ts"

/** A service and the file that declares it. */
export interface SourcedService {
  readonly file: string
  /** The service's name as a property of every context. */
  readonly key: string
  readonly definition: ServiceDefinition
}

export type CompiledServices = ReadonlyMap<string, ServiceDefinition>

/** Returns the services by name, and all mistakes in their declarations. */
export function compileServices(sources: readonly SourcedService[]): {
  readonly services: CompiledServices
  readonly mistakes: readonly Mistake[]
} {
  const first = new Map<string, SourcedService>()
  const mistakes = sources.flatMap((source): Mistake[] => {
    const problem = findServiceNameProblem(source.key)
    if (problem !== undefined)
      return [{ file: source.file, message: `a service is named after its file, and ${problem}` }]
    const other = first.get(source.key)
    if (other)
      return [
        {
          file: source.file,
          message: `service "${source.key}" is already declared in ${other.file}. Rename one of them.`,
        },
      ]
    first.set(source.key, source)
    return []
  })
  return { services: new Map([...first].map(([key, { definition }]) => [key, definition])), mistakes }
}
