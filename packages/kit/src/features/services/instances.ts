import type { Lifetime } from "../../engine/context/lifetime.ts"
import type { Logger } from "../../ports/logger.ts"
import type { ServiceDefinition } from "../../schema/builders/service.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"

interface ServiceEntry {
  readonly name: string
  /** The service instance, or a promise that resolves to it. */
  readonly value: unknown
  /** True while `value` is a promise that has not resolved yet. */
  isPending: boolean
}

/** The service instances of one lifetime, by name. Each instance is disposed of when the lifetime ends. */
export class ServiceInstances {
  readonly #entries = new Map<string, ServiceEntry>()
  readonly #lifetime: Lifetime
  readonly #logger: Logger

  constructor(lifetime: Lifetime, logger: Logger) {
    this.#lifetime = lifetime
    this.#logger = logger
  }

  /**
   * Returns the entry of the service, if its creation has begun. `isInMaking` is true if the request comes from the
   * creation of this service. While that creation is pending, the result is then undefined, because the creation would
   * wait for itself.
   */
  find(name: string, isInMaking: boolean): ServiceEntry | undefined {
    const made = this.#entries.get(name)
    return made?.isPending && isInMaking ? undefined : made
  }

  create(name: string, definition: ServiceDefinition, context: HandlerContext): unknown {
    if (this.#lifetime.hasEnded)
      throw new Error(`The service "${name}" was used after its lifetime had ended: await the code that uses it.`)
    const value = definition.create(context)
    const made: ServiceEntry = { name, value, isPending: value instanceof Promise }
    this.#entries.set(name, made)
    if (value instanceof Promise) this.#trackCreation(made, { definition, value })
    else this.#disposeAtEnd(name, { definition, instance: value })
    return value
  }

  // Removes the entry of a service if its creation fails. The next request tries again. Callers that wait for the
  // failed creation get the error.
  #trackCreation(
    made: ServiceEntry,
    { definition, value }: { definition: ServiceDefinition; value: Promise<unknown> },
  ): void {
    value.then(
      (instance) => {
        made.isPending = false
        this.#disposeAtEnd(made.name, { definition, instance })
      },
      () => {
        if (this.#entries.get(made.name) === made) this.#entries.delete(made.name)
      },
    )
  }

  #disposeAtEnd(name: string, { definition, instance }: { definition: ServiceDefinition; instance: unknown }): void {
    if (definition.dispose === undefined) return
    const dispose = async () => {
      try {
        await definition.dispose?.(instance)
      } catch (error) {
        this.#logger.error(`The service "${name}" could not be disposed of.`, { error })
      }
    }
    if (this.#lifetime.hasEnded) void dispose()
    else this.#lifetime.onEnd(dispose)
  }
}
