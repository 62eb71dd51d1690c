import { Lifetime } from "../../engine/context/lifetime.ts"
import type { OperationContext } from "../../engine/context/operation-context.ts"
import type { Logger } from "../../ports/logger.ts"
import type { ServiceDefinition } from "../../schema/builders/service.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import { ServiceInstances } from "./instances.ts"
import { RequestInstances } from "./request-instances.ts"

/** The context in which code asks for a service. */
export interface ServiceRequest {
  readonly ctx: OperationContext
  /**
   * The names of the services whose creation led to this request: each one requested the next. Empty outside of a
   * creation.
   */
  readonly creating: readonly string[]
}

interface ServiceSetDependencies {
  readonly services: ReadonlyMap<string, ServiceDefinition>
  readonly logger: Logger
  /**
   * Returns the context for singleton services, which outlive all requests: an anonymous caller on the connection pool.
   */
  rootContext(): OperationContext
  contextFor(asker: ServiceRequest): HandlerContext
}

/**
 * Manages the services of an app. Creates each service when it is first used, and disposes of it when its lifetime
 * ends.
 */
export class ServiceSet {
  readonly #parts: ServiceSetDependencies
  readonly #lifetime = new Lifetime()
  readonly #singletons: ServiceInstances
  readonly #requests = new WeakMap<Lifetime, RequestInstances>()

  constructor(parts: ServiceSetDependencies) {
    this.#parts = parts
    this.#singletons = new ServiceInstances(this.#lifetime, parts.logger)
  }

  get names(): readonly string[] {
    return [...this.#parts.services.keys()]
  }

  /** Returns the service's instance for this context, and creates it if necessary. */
  get(name: string, asker: ServiceRequest): unknown {
    const definition = this.#parts.services.get(name)
    if (definition === undefined) throw new Error(`There is no service "${name}".`)
    const instances = this.#instancesFor(name, definition, asker)
    const isInMaking = asker.creating.includes(name)
    const made = instances.find(name, isInMaking)
    if (made) return made.value
    if (isInMaking) throw circularDependency([...asker.creating.slice(asker.creating.indexOf(name)), name])
    const ctx = definition.lifecycle === "singleton" ? this.#parts.rootContext() : asker.ctx
    const context = this.#parts.contextFor({ ctx, creating: [...asker.creating, name] })
    return instances.create(name, definition, context)
  }

  /** Disposes of the singleton services. */
  async dispose(): Promise<void> {
    await this.#lifetime.end()
  }

  #instancesFor(name: string, definition: ServiceDefinition, { ctx, creating }: ServiceRequest): ServiceInstances {
    if (definition.lifecycle === "singleton") return this.#singletons
    const { lifetime } = ctx
    if (lifetime === undefined) throw lifetimeMismatch(creating.at(-1), name)
    const known = this.#requests.get(lifetime)
    const instances = known ?? new RequestInstances(lifetime, this.#parts.logger)
    if (!known) this.#requests.set(lifetime, instances)
    return instances.for(ctx, definition)
  }
}

function circularDependency(names: readonly string[]): Error {
  return new Error(
    `Services ${names.join(" → ")} depend on each other. Let one of them get the other when it is used, not in its create function.`,
  )
}

function lifetimeMismatch(singleton: string | undefined, name: string): Error {
  return new Error(
    `The service "${singleton}" is a singleton and depends on "${name}", which is created for each request. ` +
      `Make "${singleton}" a request service too, or hand "${name}" to the function that needs it.`,
  )
}
