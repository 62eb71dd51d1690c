import {
  type AnySchema,
  isSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchema,
} from "../compile/validation.ts"
import type { HandlerContext, SignedInContext } from "../context/handler-context.ts"

type RouteMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

type AnyParams = Readonly<Record<string, string>>

/** The argument of a route's access rule. The request's input is read only after the rule has allowed the request. */
export interface RouteAccessContext<Params = AnyParams> extends HandlerContext {
  /** The values of the URL path's variable segments, by name. The segments of `[...rest]` are joined by slashes. */
  readonly params: Params
  /** The web-standard Request object. It is created when this property is first read. */
  readonly request: Request
}

interface SignedInRouteContext<Params> extends RouteAccessContext<Params> {
  readonly session: SignedInContext["session"]
  readonly transaction: SignedInContext["transaction"]
}

interface AnonymousRouteContext<Params> extends RouteAccessContext<Params> {
  readonly session: null
}

export interface RouteContext<Input = unknown> extends RouteAccessContext {
  /** The request body (for GET, the query string) as the schema returns it. Without a schema, as the caller sent it. */
  readonly input: Input
}

type RouteRuleResult = boolean | null | undefined | "" | 0

/**
 * An access rule of a route. Only `true` allows the request. The context is a union of two types, so that the compiler
 * infers that `(context) => context.session !== null` is a type predicate.
 */
export type RouteAccess<Params = AnyParams> = RuleOn<SignedInRouteContext<Params> | AnonymousRouteContext<Params>>

type RuleOn<Context> = boolean | ((context: Context) => RouteRuleResult | Promise<RouteRuleResult>)

// biome-ignore lint/suspicious/noExplicitAny: a type predicate has to be assignable to the type of its parameter.
type SignedInRule = (context: any) => context is SignedInContext

/** The handler's context after the access rule. It has a session if the rule is a type predicate that says so. */
type Admitted<Context extends AnyContext, Rule> = Rule extends SignedInRule
  ? SignedInRouteContext<Context["params"]>
  : RouteAccessContext<Context["params"]>

/** A route's complete declaration. */
export interface RouteDefinition extends RouteDraft {
  readonly kind: "route"
  readonly handler: (context: RouteContext) => unknown
}

interface RouteDraft {
  /** The path that the author has passed to `route(…)`. It has to be the path of the route's file. */
  readonly path?: string
  readonly method: RouteMethod
  readonly schema?: StandardSchema
  readonly output?: StandardSchema
  readonly access?: RuleOn<RouteAccessContext>
  /** True if the route's handler reads the request and creates the response itself. */
  readonly isRaw: boolean
}

/** A complete route, as its file exports it. */
export class Route {
  readonly definition: RouteDefinition

  constructor(definition: RouteDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }
}

/**
 * A route whose type parameters are its schemas and its handler. The compiler derives the types of input and response
 * from them only where these types are used.
 */
export class TypedRoute<Input extends AnySchema, Output extends AnySchema, Work> extends Route {
  /** Exists only at compile time: the types of the route's input and response body, for the generated code. */
  declare readonly types: { readonly given: SchemaInput<Input>; readonly answer: AnswerOf<SchemaOutput<Output>, Work> }
}

/** The builder methods that all routes have. Each method returns a new frozen builder. */
abstract class RouteSteps {
  readonly draft: RouteDraft

  constructor(draft: RouteDraft) {
    this.draft = Object.freeze(draft)
    Object.freeze(this)
  }

  get(): this {
    return this.changed({ method: "GET" })
  }

  post(): this {
    return this.changed({ method: "POST" })
  }

  put(): this {
    return this.changed({ method: "PUT" })
  }

  patch(): this {
    return this.changed({ method: "PATCH" })
  }

  delete(): this {
    return this.changed({ method: "DELETE" })
  }

  /**
   * Sets the route's access rule. Without a rule, everyone may call the route. After `signedIn`, or another rule that is
   * a type predicate for `SignedInContext`, `session` is not null in the handler.
   */
  abstract access(rule: RouteAccess): object

  protected withAccess<Params>(rule: RouteAccess<Params>): RouteDraft {
    // The cast is safe: every context is of a caller with or without a session, and the path, which has the parameters,
    // is checked at the start.
    return { ...this.draft, access: rule as RuleOn<RouteAccessContext> }
  }

  protected changed(change: Partial<RouteDraft>): this {
    // The cast is safe: subclasses add methods but no constructor of their own, so the copy has the original's class.
    const Copy = this.constructor as new (draft: RouteDraft) => this
    return new Copy({ ...this.draft, ...change })
  }
}

/** The argument of a route's handler. Its input has the output type of the route's schema. */
export type CheckedRouteContext<Input extends AnySchema, Context = RouteAccessContext> = Context & {
  readonly input: SchemaOutput<Input>
}

type ResultFor<Output extends AnySchema> = SchemaInput<Output> | Response | Promise<SchemaInput<Output> | Response>

/** The context that a builder knows so far: the parameters of the path and, after an access rule, the session. */
type AnyContext = RouteAccessContext<unknown>

/** The builder methods of a route with JSON input and JSON response. Its handler must return the type `Result`. */
abstract class JsonRouteSteps<
  Input extends AnySchema,
  Output extends AnySchema,
  Result,
  Context extends AnyContext,
> extends RouteSteps {
  /** Sets the schema that validates the route's input. Any Standard Schema library works. */
  schema<Schema extends AnySchema>(schema: Schema): TypedRouteBuilder<Schema, Output, Result, Context> {
    return new TypedRouteBuilder({ ...this.draft, schema: checkSchema(".schema()", schema) })
  }

  /** Sets the schema that validates and transforms the response body. An invalid response body is a server error. */
  output<Schema extends AnySchema>(schema: Schema): TypedRouteBuilder<Input, Schema, ResultFor<Schema>, Context> {
    return new TypedRouteBuilder({ ...this.draft, output: checkSchema(".output()", schema) })
  }

  /** Sets the route's handler, whose return value becomes the response body. */
  handler<Work extends (context: CheckedRouteContext<Input, Context>) => Result>(
    work: Work,
  ): TypedRoute<Input, Output, Work> {
    return new TypedRoute(definitionOf(this.draft, work))
  }
}

/** The builder of a JSON route that has an input or output schema. */
class TypedRouteBuilder<
  Input extends AnySchema,
  Output extends AnySchema,
  Result,
  Context extends AnyContext,
> extends JsonRouteSteps<Input, Output, Result, Context> {
  override access<Rule extends RouteAccess<Context["params"]>>(
    rule: Rule,
  ): TypedRouteBuilder<Input, Output, Result, Admitted<Context, Rule>> {
    return new TypedRouteBuilder(this.withAccess(rule))
  }

  /** Always throws, because a raw route cannot have a schema. Leave out the schema, or leave out `.raw()`. */
  raw(_notAllowedWithSchema: never): never {
    throw rawWithSchema()
  }
}

class RouteBuilder<Context extends AnyContext> extends JsonRouteSteps<AnySchema, AnySchema, unknown, Context> {
  override access<Rule extends RouteAccess<Context["params"]>>(rule: Rule): RouteBuilder<Admitted<Context, Rule>> {
    return new RouteBuilder(this.withAccess(rule))
  }

  /** Makes the route raw: the route's handler reads `request` itself and returns a `Response`. */
  raw(): RawRouteBuilder<Context> {
    return new RawRouteBuilder({ ...this.draft, isRaw: true })
  }
}

/** The builder of a raw route, whose handler reads the request and creates the response itself. */
class RawRouteBuilder<Context extends AnyContext> extends RouteSteps {
  override access<Rule extends RouteAccess<Context["params"]>>(rule: Rule): RawRouteBuilder<Admitted<Context, Rule>> {
    return new RawRouteBuilder(this.withAccess(rule))
  }

  schema(_notAllowedWithRaw: never): never {
    throw rawWithSchema()
  }

  output(_notAllowedWithRaw: never): never {
    throw rawWithSchema()
  }

  handler(work: (context: Context) => Response | Promise<Response>): TypedRoute<AnySchema, AnySchema, unknown> {
    return new TypedRoute(definitionOf(this.draft, work))
  }
}

function definitionOf(draft: RouteDraft, work: (context: never) => unknown): RouteDefinition {
  // The cast is safe: the handler is called only after the rule has allowed the request and with the schema's output,
  // and the path, which has the parameters, is checked at the start.
  return { ...draft, kind: "route", handler: work as RouteDefinition["handler"] }
}

/**
 * Declares a route. The route's URL is the path of its file in `routes/`. Pass that path to give `params` its type. The
 * app does not start if the path is not the path of the file.
 *
 * export default route().get().schema(z.object({ team: z.string() })).handler(({ input }) => ({ team: input.team }))
 *
 * export default route("/teams/[team]/close").handler(({ params }) => ({ closed: params.team }))
 */
export function route(): RouteBuilder<RouteAccessContext>
export function route<Path extends `/${string}`>(path: Path): RouteBuilder<RouteAccessContext<ParamsIn<Path>>>
export function route(path?: string): object {
  return new RouteBuilder({ ...(path !== undefined && { path }), method: "POST", isRaw: false })
}

/** The parameters in a route's path: `[team]`, or `[...rest]` for all segments that follow. */
type ParamsIn<Path extends string> = { readonly [Name in ParamName<Path>]: string }

type ParamName<Path extends string> = Path extends `${string}[${infer Name}]${infer Rest}`
  ? (Name extends `...${infer Variable}` ? Variable : Name) | ParamName<Rest>
  : never

/** The type of a route's response body: the output schema's result or, without such a schema, the handler's result. */
type AnswerOf<Output, Work> = unknown extends Output
  ? Work extends (context: never) => infer Result
    ? AnswerFor<Awaited<Result>>
    : unknown
  : Output

// The type of the response body for a handler's result: undefined becomes null, and a `Response` has unknown content.
type AnswerFor<Result> = [Extract<Result, Response>] extends [never] ? JsonOf<Result> : unknown

// biome-ignore lint/suspicious/noConfusingVoidType: the return type of a function without a result is void.
type JsonOf<Result> = Result extends undefined | void ? null : Result

function checkSchema(step: string, schema: AnySchema): StandardSchema {
  if (isSchema(schema)) return schema
  throw new TypeError(`${step} takes a Standard Schema, such as z.object({ … }) of zod.`)
}

function rawWithSchema(): Error {
  return new Error("A raw route reads its request itself: leave out .schema() and .output(), or leave out .raw().")
}
