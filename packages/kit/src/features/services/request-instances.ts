import { Lifetime } from "../../engine/context/lifetime.ts"
import type { OperationContext } from "../../engine/context/operation-context.ts"
import type { Transaction } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { ServiceDefinition } from "../../schema/builders/service.ts"
import { ServiceInstances } from "./instances.ts"

interface ContextInstances {
  readonly ctx: OperationContext
  readonly instances: ServiceInstances
}

/**
 * The service instances of one request. A service whose `create` function takes the context uses the context's rights
 * and connection, so it is created once per context. If that connection is a transaction, the service is disposed of
 * when the transaction ends.
 */
export class RequestInstances {
  readonly #lifetime: Lifetime
  readonly #logger: Logger
  #byContext: readonly ContextInstances[] = []
  readonly #shared: ServiceInstances

  constructor(lifetime: Lifetime, logger: Logger) {
    this.#lifetime = lifetime
    this.#logger = logger
    this.#shared = new ServiceInstances(lifetime, logger)
  }

  for(ctx: OperationContext, { create }: ServiceDefinition): ServiceInstances {
    return create.length > 0 ? this.#instancesFor(ctx) : this.#shared
  }

  #instancesFor(ctx: OperationContext): ServiceInstances {
    const known = this.#byContext.find((place) => isSameContext(place.ctx, ctx))
    if (known) return known.instances
    const lifetime = isTransaction(ctx.connection) ? this.#lifetimeOf(ctx.connection) : this.#lifetime
    const instances = new ServiceInstances(lifetime, this.#logger)
    this.#byContext = [...this.#byContext, { ctx, instances }]
    return instances
  }

  // Returns a lifetime that ends with the transaction. Services of the transaction are then disposed of, while the
  // request continues. The end of the request waits until they are disposed of.
  #lifetimeOf(transaction: Transaction): Lifetime {
    const lifetime = new Lifetime()
    transaction.onEnd(() => {
      this.#byContext = this.#byContext.filter(({ ctx }) => ctx.connection !== transaction)
      const ended = lifetime.end()
      this.#lifetime.onEnd(() => ended)
    })
    return lifetime
  }
}

function isTransaction(connection: OperationContext["connection"]): connection is Transaction {
  return "onEnd" in connection
}

// True if two contexts can share service instances. A service keeps the context with which it was created, so the hook
// depth and the rules that are being evaluated must be equal too: they detect hooks and rules that trigger themselves.
function isSameContext(left: OperationContext, right: OperationContext): boolean {
  return (
    left.connection === right.connection &&
    left.isSystem === right.isSystem &&
    left.session === right.session &&
    left.hookDepth === right.hookDepth &&
    left.evaluatingRules.join() === right.evaluatingRules.join()
  )
}
