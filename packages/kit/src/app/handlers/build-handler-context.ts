import { kyselyOn, type TableNames } from "../../drivers/kysely/kysely.ts"
import { withWorkingCopies } from "../../engine/access/stage.ts"
import { withinLifetime } from "../../engine/context/lifetime.ts"
import { inOneLocale } from "../../engine/context/locale.ts"
import type { OperationContext } from "../../engine/context/operation-context.ts"
import { withExplainedErrors } from "../../engine/database/database-errors.ts"
import { createLocalApi } from "../../engine/local-api.ts"
import { touchRecords } from "../../engine/write/touch.ts"
import type { Mailers } from "../../features/email/mailers.ts"
import type { Publishers } from "../../features/jobs/publishers.ts"
import type { ChannelPublishers } from "../../features/realtime/channels/publishers.ts"
import type { CompiledServices } from "../../features/services/compile-services.ts"
import { type ServiceRequest, ServiceSet } from "../../features/services/service-set.ts"
import type { CallerConnection, Connection } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { Session, SessionLoader } from "../../ports/session-provider.ts"
import type { AppFacts, HandlerContext } from "../../schema/context/handler-context.ts"
import { MAKE_REQUEST } from "../../schema/context/lazy-request.ts"
import type {
  RegisteredCollections,
  RegisteredDatabase,
  RegisteredGlobals,
  RegisteredSearch,
} from "../../schema/context/register.ts"
import type { LocalApi } from "../../wire/results/operations.ts"
import type { OpenKeyValues } from "../parts/key-values-part.ts"
import type { HandlerContexts, TransactionOpener } from "./handler-contexts.ts"

interface ContextDependencies {
  readonly app: AppFacts
  readonly logger: Logger
  readonly services: CompiledServices
  readonly mailers: Pick<Mailers, "on">
  readonly kv: Pick<OpenKeyValues, "on">
  readonly publishers: Publishers
  readonly channels: ChannelPublishers
  readonly tableNames: TableNames
  readonly sessionLoader: SessionLoader
  /** Returns the context for services that live longer than a request. */
  rootContext(): OperationContext
}

/** Prepares the contexts for the author's code. A context's member or service costs nothing until it is read. */
export function buildHandlerContexts(parts: ContextDependencies): HandlerContexts {
  const services = new ServiceSet({
    ...parts,
    contextFor: ({ ctx, creating }) => typed(new AppContext(parts, ctx, { making: creating })),
  })
  class AppContext extends BaseContext {}
  for (const name of services.names) {
    const get = function (this: AppContext) {
      return services.get(name, BaseContext.requesterOf(this))
    }
    Object.defineProperty(AppContext.prototype, name, { get, enumerable: true })
  }
  return {
    handlerFor: (ctx, derive) => typed(new AppContext(parts, ctx, { derive })),
    jobFor: (ctx, opener) => typed(new AppContext(parts, ctx, { opener })),
    dispose: () => services.dispose(),
  }
}

// The cast is safe: the generated types describe exactly the services that the getters of the context return.
function typed(context: BaseContext): HandlerContext {
  return context as unknown as HandlerContext
}

interface Origin {
  readonly derive?: (() => OperationContext) | undefined
  readonly making?: readonly string[] | undefined
  /** If set, opens the transactions of the context; otherwise the context's own connection opens them. */
  readonly opener?: TransactionOpener | undefined
}

interface RequestMaker {
  [MAKE_REQUEST](): Request
}

const NO_SERVICES: readonly string[] = []

/** The context members in every app. Authors destructure the context, so its functions must not depend on `this`. */
class BaseContext {
  readonly #dependencies: ContextDependencies
  readonly #outer: OperationContext
  readonly #origin: Origin
  #inner: OperationContext | undefined
  #api: LocalApi | undefined
  #request: Request | undefined

  constructor(parts: ContextDependencies, ctx: OperationContext, origin: Origin) {
    this.#dependencies = parts
    this.#outer = ctx
    this.#origin = origin
  }

  get session() {
    return this.#outer.session
  }

  get locale() {
    return this.#outer.locale
  }

  get dryRun() {
    return this.#outer.dryRun !== undefined
  }

  // The cast is safe: the generated types describe exactly the collections and globals of the compiled schema.
  get collections() {
    return this.#operations.collections as unknown as RegisteredCollections
  }

  get globals() {
    return this.#operations.globals as unknown as RegisteredGlobals
  }

  get search() {
    return this.#operations.search as unknown as RegisteredSearch
  }

  get db(): RegisteredDatabase {
    return kyselyOn(this.#ctx.connection, this.#dependencies.tableNames)
  }

  get queue() {
    const { connection, session } = this.#ctx
    return this.#dependencies.publishers.at({ connection, publishedBy: session?.user.id ?? null })
  }

  get channels() {
    return this.#dependencies.channels.on(this.#ctx.connection)
  }

  get email() {
    return this.#dependencies.mailers.on(this.#ctx.connection)
  }

  get kv() {
    const { connection, dryRun } = this.#ctx
    return this.#dependencies.kv.on(connection, dryRun)
  }

  get logger() {
    return this.#outer.logger
  }

  get app() {
    return this.#dependencies.app
  }

  /**
   * Returns the HTTP request; undefined outside of routes, because only a route sets the method that creates the
   * request.
   */
  get request() {
    this.#request ??= (this as Partial<RequestMaker>)[MAKE_REQUEST]?.()
    return this.#request
  }

  get transaction() {
    return <Result>(work: (context: HandlerContext) => Promise<Result>) =>
      withExplainedErrors(this.#ctx.schema, () =>
        withinLifetime(this.#ctx, (ctx) => {
          const { opener = ctx.connection, making } = this.#origin
          return opener.transaction((connection) => work(this.#withContext({ ...ctx, connection }, { making })))
        }),
      )
  }

  get asSystem() {
    return () => this.#withContext({ ...this.#ctx, isSystem: true, connection: withoutLimits(this.#ctx.connection) })
  }

  get asUser() {
    return async (id: string) =>
      this.#withContext({ ...this.#ctx, session: await findSession(this.#dependencies, id), isSystem: false })
  }

  get touch() {
    return (name: string, ids?: string | readonly string[]) => touchRecords(this.#ctx, { name, ids })
  }

  /**
   * Returns the data for looking up a service: the caller's context, and the names of the services that are being
   * created. The method is static, so that authors do not find it on their context.
   */
  static requesterOf(context: BaseContext): ServiceRequest {
    return { ctx: context.#ctx, creating: context.#origin.making ?? NO_SERVICES }
  }

  get #ctx(): OperationContext {
    this.#inner ??= inOneLocale(withWorkingCopies(this.#origin.derive?.() ?? this.#outer))
    return this.#inner
  }

  get #operations(): LocalApi {
    this.#api ??= createLocalApi(this.#ctx)
    return this.#api
  }

  // The cast to `typeof BaseContext` is safe: a subclass adds getters, but no constructor of its own.
  #withContext(ctx: OperationContext, { making, opener }: Origin = this.#origin): HandlerContext {
    const Same = this.constructor as typeof BaseContext
    return typed(new Same(this.#dependencies, ctx, { making, opener }))
  }
}

// Returns a connection without the caller's limits. A connection inside a transaction is returned unchanged, because
// the limits apply to the whole transaction.
function withoutLimits(connection: Connection | CallerConnection): Connection {
  return "withoutLimits" in connection ? connection.withoutLimits : connection
}

async function findSession({ sessionLoader }: ContextDependencies, id: string): Promise<Session> {
  const session = await sessionLoader.load?.(id)
  if (session) return session
  if (session === null) throw new Error(`asUser("${id}"): there is no such user.`)
  throw new Error("asUser(id) needs sessions that can be looked up: give the session provider a function load(userId).")
}
