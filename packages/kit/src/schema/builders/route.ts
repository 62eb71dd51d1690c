import {
  type AnySchema,
  isSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchema,
} from "../compile/validation.ts"
import type { HandlerContext } from "../context/handler-context.ts"

export type RouteMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** What the access rule of a route knows; its input is read only once the rule has allowed it. */
export interface RouteAccessContext extends HandlerContext {
  /** The variable segments of the path by name; those of `[...rest]` joined by a slash. */
  readonly params: Readonly<Record<string, string>>
  /** The request as web-standard code knows it; made when it is first read. */
  readonly request: Request
}

export interface RouteContext<Input = unknown> extends RouteAccessContext {
  /** What the schema made of the body or, for GET, of the query string; without a schema as it was sent. */
  readonly input: Input
}

type RouteVerdict = boolean | null | undefined | "" | 0

/** Only `true` allows. */
export type RouteAccess = boolean | ((context: RouteAccessContext) => RouteVerdict | Promise<RouteVerdict>)

/** What an author has said about a route. */
export interface RouteDefinition extends RouteDraft {
  readonly kind: "route"
  readonly handler: (context: RouteContext) => unknown
}

interface RouteDraft {
  readonly method: RouteMethod
  readonly schema?: StandardSchema
  readonly output?: StandardSchema
  readonly access?: RouteAccess
  /** The handler reads the request and makes the answer itself. */
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

/** A route whose types hold its schemas and its handler: what they take and give is worked out where somebody asks for it. */
export class TypedRoute<Input extends AnySchema, Output extends AnySchema, Work> extends Route {
  /** Types only: what a caller gives and gets, for the generated code. */
  declare readonly types: { readonly given: SchemaInput<Input>; readonly answer: AnswerOf<SchemaOutput<Output>, Work> }
}

/** The steps that every route has. Each method returns a new frozen value. */
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

  /** Who may call it. Without a rule anyone may. */
  access(rule: RouteAccess): this {
    return this.changed({ access: rule })
  }

  protected changed(change: Partial<RouteDraft>): this {
    // Subclasses add methods but no constructor of their own, so the copy has the class of the original.
    const Copy = this.constructor as new (draft: RouteDraft) => this
    return new Copy({ ...this.draft, ...change })
  }
}

/** A route's context, with the input that the schema makes. */
export interface CheckedRouteContext<Input extends AnySchema> extends RouteAccessContext {
  readonly input: SchemaOutput<Input>
}

type ResultFor<Output extends AnySchema> = SchemaInput<Output> | Response | Promise<SchemaInput<Output> | Response>

/** The steps of a route whose input and answer are JSON; `Result` is what its handler may return. */
class JsonRouteSteps<Input extends AnySchema, Output extends AnySchema, Result> extends RouteSteps {
  /** Checks the input; any library that follows Standard Schema will do. */
  schema<Schema extends AnySchema>(schema: Schema): TypedRouteBuilder<Schema, Output, Result> {
    return new TypedRouteBuilder({ ...this.draft, schema: checkSchema(".schema()", schema) })
  }

  /** Checks and shapes the answer; one that does not fit is a failure of the server. */
  output<Schema extends AnySchema>(schema: Schema): TypedRouteBuilder<Input, Schema, ResultFor<Schema>> {
    return new TypedRouteBuilder({ ...this.draft, output: checkSchema(".output()", schema) })
  }

  /** What the route does; its result is the answer. */
  handler<Work extends (context: CheckedRouteContext<Input>) => Result>(work: Work): TypedRoute<Input, Output, Work> {
    // It is called with what the schema has made.
    return new TypedRoute({ ...this.draft, kind: "route", handler: work as RouteDefinition["handler"] })
  }
}

/** A route of which a schema is known. */
export class TypedRouteBuilder<Input extends AnySchema, Output extends AnySchema, Result> extends JsonRouteSteps<
  Input,
  Output,
  Result
> {
  /** A raw route reads its request itself: leave the schema out, or leave out `.raw()`. */
  raw(_goesWithoutSchema: never): never {
    throw rawWithSchema()
  }
}

export class RouteBuilder extends JsonRouteSteps<AnySchema, AnySchema, unknown> {
  /** The handler reads `request` itself and returns a `Response`. */
  raw(): RawRouteBuilder {
    return new RawRouteBuilder({ ...this.draft, isRaw: true })
  }
}

/** A route that reads its request and makes its response itself. */
export class RawRouteBuilder extends RouteSteps {
  schema(_goesWithoutRaw: never): never {
    throw rawWithSchema()
  }

  output(_goesWithoutRaw: never): never {
    throw rawWithSchema()
  }

  handler(
    work: (context: RouteAccessContext) => Response | Promise<Response>,
  ): TypedRoute<AnySchema, AnySchema, unknown> {
    return new TypedRoute({ ...this.draft, kind: "route", handler: work })
  }
}

/**
 * Declares a route; the path of its file in `routes/` is its URL.
 *
 * export default route().get().schema(z.object({ team: z.string() })).handler(({ input }) => ({ team: input.team }))
 */
export function route(): RouteBuilder {
  return new RouteBuilder({ method: "POST", isRaw: false })
}

/** What a caller gets: what the schema of the output makes, or else what the handler returns. */
type AnswerOf<Output, Work> = unknown extends Output
  ? Work extends (context: never) => infer Result
    ? AnswerFor<Awaited<Result>>
    : unknown
  : Output

// Nothing is null in JSON; a `Response` can hold anything.
type AnswerFor<Result> = [Extract<Result, Response>] extends [never] ? JsonOf<Result> : unknown

// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing is typed so.
type JsonOf<Result> = Result extends undefined | void ? null : Result

function checkSchema(step: string, schema: AnySchema): StandardSchema {
  if (isSchema(schema)) return schema
  throw new TypeError(`${step} takes a Standard Schema, such as z.object({ … }) of zod.`)
}

function rawWithSchema(): Error {
  return new Error("A raw route reads its request itself: leave out .schema() and .output(), or leave out .raw().")
}
