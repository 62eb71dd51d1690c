import { checkNames } from "../compile/known-names.ts"
import type { HandlerContext } from "../context/handler-context.ts"

/** `singleton`: one for the whole app; `request`: one for each request. */
export type Lifecycle = "singleton" | "request"

/** What an author has said about a service. */
export interface ServiceDefinition {
  readonly kind: "service"
  readonly lifecycle: Lifecycle
  readonly create: (context: HandlerContext) => unknown
  readonly dispose: ((instance: unknown) => unknown) | undefined
}

interface ServiceOptions<Instance> {
  readonly lifecycle: Lifecycle
  /** Makes the instance; if that takes time, the context holds a promise of it. */
  readonly create: (context: HandlerContext) => Instance
  readonly dispose?: (instance: Awaited<Instance>) => unknown
}

/** A service, as its file exports it. */
export class Service<out Instance = unknown> {
  readonly definition: ServiceDefinition
  /** Types only: what the context holds under the name of the service. */
  declare readonly instance: Instance

  constructor(definition: ServiceDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }
}

/** What the context holds for a service; generated code names it. */
export type ServiceInstance<Declaration extends { readonly instance: unknown }> = Declaration["instance"]

const LIFECYCLES: readonly unknown[] = ["singleton", "request"]

/**
 * Declares a service; every handler finds it under the name of its file.
 *
 * export default service({ lifecycle: "singleton", create: () => ({ now: () => new Date() }) })
 */
export function service<Instance>(options: ServiceOptions<Instance>): Service<Instance> {
  const { lifecycle, create, dispose } = options
  if (!LIFECYCLES.includes(lifecycle)) throw new TypeError('A service has a lifecycle: "singleton" or "request".')
  if (typeof create !== "function") throw new TypeError("A service has a function create: () => instance.")
  checkNames("A service", options, ["lifecycle", "create", "dispose"])
  // It is called with what `create` gave.
  return new Service({ kind: "service", lifecycle, create, dispose: dispose as ServiceDefinition["dispose"] })
}
