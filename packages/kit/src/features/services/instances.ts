import type { Lifetime } from "../../engine/context/lifetime.ts"
import type { Logger } from "../../ports/logger.ts"
import type { ServiceDefinition } from "../../schema/builders/service.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"

interface ServiceEntry {
  readonly name: string
  /** The instance, or a promise of it. */
  readonly value: unknown
  /** The promise is not settled yet. */
  isPending: boolean
}

/** Instances by name, each disposed of at the end of the lifetime. */
export class ServiceInstances {
  readonly #entries = new Map<string, ServiceEntry>()
  readonly #lifetime: Lifetime
  readonly #logger: Logger

  constructor(lifetime: Lifetime, logger: Logger) {
    this.#lifetime = lifetime
    this.#logger = logger
  }

  /** Returns the instance, if any. Hides a pending instance from the services that it is waiting for. */
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

  // A failed creation is not cached: the next request tries again, and callers that wait for this one get the error.
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
