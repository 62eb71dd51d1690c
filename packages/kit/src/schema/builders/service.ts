import { assertKnownKeys } from "../compile/assert-known-keys.ts"
import type { HandlerContext } from "../context/handler-context.ts"

/** The lifetime of a service: one instance for the whole app (`singleton`), or one for each request (`request`). */
export type Lifecycle = "singleton" | "request"

/** The checked declaration of a service. */
export interface ServiceDefinition {
  readonly kind: "service"
  readonly lifecycle: Lifecycle
  readonly create: (context: HandlerContext) => unknown
  readonly dispose: ((instance: unknown) => unknown) | undefined
}

interface ServiceOptions<Instance> {
  readonly lifecycle: Lifecycle
  /** Creates the service's instance. If it returns a promise, the context's member for the service is that promise. */
  readonly create: (context: HandlerContext) => Instance
  readonly dispose?: (instance: Awaited<Instance>) => unknown
}

/** A service, as its file exports it. */
export class Service<out Instance = unknown> {
  readonly definition: ServiceDefinition
  /** Exists only at compile time: the type of the context's member for this service. */
  declare readonly instance: Instance

  constructor(definition: ServiceDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }
}

/** The type of the context's member for a service. Generated code uses it. */
export type ServiceInstance<Declaration extends { readonly instance: unknown }> = Declaration["instance"]

const LIFECYCLES: readonly unknown[] = ["singleton", "request"]

/**
 * Declares a service. The service is a member of every context, under the name of its file.
 *
 * export default service({ lifecycle: "singleton", create: () => ({ now: () => new Date() }) })
 */
export function service<Instance>(options: ServiceOptions<Instance>): Service<Instance> {
  const { lifecycle, create, dispose } = options
  if (!LIFECYCLES.includes(lifecycle)) throw new TypeError('A service has a lifecycle: "singleton" or "request".')
  if (typeof create !== "function") throw new TypeError("A service has a function create: () => instance.")
  assertKnownKeys("A service", options, ["lifecycle", "create", "dispose"])
  // The cast is safe: `dispose` is called only with the result of `create`.
  return new Service({ kind: "service", lifecycle, create, dispose: dispose as ServiceDefinition["dispose"] })
}
