import {
  type AnySchema,
  isSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchema,
} from "../compile/validation.ts"
import type { HandlerContext } from "../context/handler-context.ts"

export type RouteMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** The argument of a route's access rule. The input is read only after the rule has allowed the request. */
export interface RouteAccessContext extends HandlerContext {
  /** The variable segments of the path by name; the segments of `[...rest]` are joined by slashes. */
  readonly params: Readonly<Record<string, string>>
  /** The web-standard Request, created on first read. */
  readonly request: Request
}

export interface RouteContext<Input = unknown> extends RouteAccessContext {
  /** The body (for GET, the query string) after validation by the schema; without a schema, as it was sent. */
  readonly input: Input
}

type RouteRuleResult = boolean | null | undefined | "" | 0

/** A rule of a route; only `true` allows the request. */
export type RouteAccess = boolean | ((context: RouteAccessContext) => RouteRuleResult | Promise<RouteRuleResult>)

/** The declaration of a route. */
export interface RouteDefinition extends RouteDraft {
  readonly kind: "route"
  readonly handler: (context: RouteContext) => unknown
}

interface RouteDraft {
  readonly method: RouteMethod
  readonly schema?: StandardSchema
  readonly output?: StandardSchema
  readonly access?: RouteAccess
  /** The handler reads the request and creates the response itself. */
  readonly isRaw: boolean
}

/** A finished route, as its file exports it. */
export class Route {
  readonly definition: RouteDefinition

  constructor(definition: RouteDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }
}

/** A route whose type parameters are its schemas and its handler: the compiler derives input and answer only on use. */
export class TypedRoute<Input extends AnySchema, Output extends AnySchema, Work> extends Route {
  /** Types only: the input and the answer of the route, for the generated code. */
  declare readonly types: { readonly given: SchemaInput<Input>; readonly answer: AnswerOf<SchemaOutput<Output>, Work> }
}

/** The builder methods of all routes. Each method returns a new frozen value. */
class RouteSteps {
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

  /** Sets the access rule of the route. Without a rule, everyone may call it. */
  access(rule: RouteAccess): this {
    return this.changed({ access: rule })
  }

  protected changed(change: Partial<RouteDraft>): this {
    // Subclasses add methods but no constructor of their own, so the copy has the class of the original.
    const Copy = this.constructor as new (draft: RouteDraft) => this
    return new Copy({ ...this.draft, ...change })
  }
}

/** The context of a route, with the output of the schema as its input. */
export interface CheckedRouteContext<Input extends AnySchema> extends RouteAccessContext {
  readonly input: SchemaOutput<Input>
}

type ResultFor<Output extends AnySchema> = SchemaInput<Output> | Response | Promise<SchemaInput<Output> | Response>

/** The builder methods of a route with JSON input and answer; `Result` is the required return type of its handler. */
class JsonRouteSteps<Input extends AnySchema, Output extends AnySchema, Result> extends RouteSteps {
  /** Validates the input; any Standard Schema library works. */
  schema<Schema extends AnySchema>(schema: Schema): TypedRouteBuilder<Schema, Output, Result> {
    return new TypedRouteBuilder({ ...this.draft, schema: checkSchema(".schema()", schema) })
  }

  /** Validates and transforms the answer; an invalid answer is a server error. */
  output<Schema extends AnySchema>(schema: Schema): TypedRouteBuilder<Input, Schema, ResultFor<Schema>> {
    return new TypedRouteBuilder({ ...this.draft, output: checkSchema(".output()", schema) })
  }

  /** Sets the function of the route; its result is the answer. */
  handler<Work extends (context: CheckedRouteContext<Input>) => Result>(work: Work): TypedRoute<Input, Output, Work> {
    // Safe: the handler is called only with the output of the schema.
    return new TypedRoute({ ...this.draft, kind: "route", handler: work as RouteDefinition["handler"] })
  }
}

/** The builder of a route that has a schema. */
export class TypedRouteBuilder<Input extends AnySchema, Output extends AnySchema, Result> extends JsonRouteSteps<
  Input,
  Output,
  Result
> {
  /** Throws: a raw route reads its request itself. Leave out the schema, or leave out `.raw()`. */
  raw(_notAllowedWithSchema: never): never {
    throw rawWithSchema()
  }
}

export class RouteBuilder extends JsonRouteSteps<AnySchema, AnySchema, unknown> {
  /** Makes the route raw: its handler reads `request` itself and returns a `Response`. */
  raw(): RawRouteBuilder {
    return new RawRouteBuilder({ ...this.draft, isRaw: true })
  }
}

/** The builder of a route that reads its request and creates its response itself. */
export class RawRouteBuilder extends RouteSteps {
  schema(_notAllowedWithRaw: never): never {
    throw rawWithSchema()
  }

  output(_notAllowedWithRaw: never): never {
    throw rawWithSchema()
  }

  handler(
    work: (context: RouteAccessContext) => Response | Promise<Response>,
  ): TypedRoute<AnySchema, AnySchema, unknown> {
    return new TypedRoute({ ...this.draft, kind: "route", handler: work })
  }
}

/**
 * Declares a route; its URL is the path of its file in `routes/`.
 *
 * export default route().get().schema(z.object({ team: z.string() })).handler(({ input }) => ({ team: input.team }))
 */
export function route(): RouteBuilder {
  return new RouteBuilder({ method: "POST", isRaw: false })
}

/** The answer to the caller: the result of the output schema, or of the handler if there is no such schema. */
type AnswerOf<Output, Work> = unknown extends Output
  ? Work extends (context: never) => infer Result
    ? AnswerFor<Awaited<Result>>
    : unknown
  : Output

// In JSON, undefined becomes null. The content of a `Response` is unknown.
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
