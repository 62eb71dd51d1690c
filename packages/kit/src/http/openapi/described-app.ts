import type { FieldRights } from "../../engine/introspect/caller-rights.ts"
import type { CompiledRoute } from "../../features/routes/compile-routes.ts"
import type { Locales } from "../../schema/compile/locales.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { Allowed, OperationAccess } from "../../wire/results/introspection.ts"

/** A collection or global that the document describes, with what the caller may do with it. */
export interface DescribedResource {
  readonly resource: Resource
  readonly operations: OperationAccess
  /** The fields that the caller may read or write, by name. */
  readonly fields: ReadonlyMap<string, FieldRights>
  /** The verdicts of the rules on moving records to a stage, by stage. */
  readonly transitions: ReadonlyMap<string, Allowed>
  /** The stages that the caller may know. */
  readonly stages: ReadonlySet<string>
  /** True if callers without credentials may know the resource. */
  readonly isPublic: boolean
  /** The rights of callers without credentials. */
  readonly openOperations: OperationAccess
}

/** A route of the author that the document describes. */
export interface DescribedRoute {
  readonly route: CompiledRoute
  /** True if callers without credentials may call the route. */
  readonly isOpen: boolean
}

/** The reader of the document: a caller of the API, or a developer, who sees the whole app. */
export type Reader = "anonymous" | "user" | "admin" | "developer"

/** The parts of an app that one reader of the document may know. Equal values give equal documents. */
export interface DescribedApp extends AppFacts {
  readonly reader: Reader
  readonly resources: readonly DescribedResource[]
  readonly routes: readonly DescribedRoute[]
  /** True if the reader may search a collection. */
  readonly search: boolean
}

/** The facts about an app that are the same for all readers of the document. */
export interface AppFacts {
  readonly name: string
  /** The app's public URL. Undefined if it is not configured. */
  readonly url: string | undefined
  readonly basePath: string
  readonly locales: Locales
  /** The method and path of each endpoint of kit, such as `GET /:collection`. */
  readonly endpoints: readonly string[]
  readonly channels: boolean
  readonly signUp: boolean
  /** The name of the session cookie. Undefined if the author's own session provider reads the credentials. */
  readonly cookie: string | undefined
}
