import type { ErrorCode } from "../../../wire/errors/api-error.ts"
import type { ReadKind } from "../../../wire/options/query-options.ts"
import type { OperationName } from "../../../wire/results/introspection.ts"
import type { JsonSchema } from "../../../wire/results/json-schema.ts"
import type { ResourceSchemas } from "../components/resource-schemas.ts"
import type { FurtherStatus } from "../further-answers.ts"
import type { Content, Parameter } from "../openapi-document.ts"
import type { OptionName } from "../option-parameters.ts"

/** The descriptions of endpoints by method and path: `PATCH /:collection/:id`. */
export type EndpointTable = Readonly<Record<string, EndpointDescription>>

export type EndpointDescription = ResourceOperation | FixedOperation | NotInDocument

/** An endpoint that each collection, or each global, has. */
export interface ResourceOperation {
  readonly kind: "resource"
  /** The client's method. After the name of the resource, it is the operation's id: `articles.updateById`. */
  readonly method: string
  readonly summary: string
  readonly description?: string
  /**
   * The operations that the caller's rights must include. A resource does not have the endpoint if it does not have
   * these operations. If the list is empty, everyone who may know of the resource may call the endpoint.
   */
  readonly needs: readonly OperationName[]
  /** True if only collections whose records have files have the endpoint, or only other collections. */
  readonly isForFiles?: boolean
  /** True if only resources with a collaborative field have the endpoint. */
  readonly isForDocuments?: true
  /** The options in the query string: those of this kind of operation, or some of them. */
  readonly options?: ReadKind | readonly OptionName[]
  /** The parameters besides those of the path and the options. */
  readonly parameters?: readonly Parameter[]
  readonly body?: (schemas: ResourceSchemas) => Content
  /** True if the body names the expected revision, and nothing else. It may be left out. */
  readonly isBodyOfRevision?: true
  readonly answer: (schemas: ResourceSchemas) => Content
  readonly status?: 201
  /** True if the answer is one record, so that it has the record's revision in a header. */
  readonly hasRevision?: true
  /** The statuses that the answer may have instead. */
  readonly further?: readonly FurtherStatus[]
  /** Errors besides those that every call may get. */
  readonly errors?: readonly ErrorCode[]
}

/** An endpoint that an app has once. */
export interface FixedOperation {
  readonly kind: "fixed"
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** The callers who may use the endpoint. All of them unless set. */
  readonly caller?: "user" | "admin"
  /** True if the answer depends on who calls, although everyone may call. */
  readonly dependsOnCaller?: true
  /** The part of the app without which the endpoint refuses every call. */
  readonly requires?: "signUp" | "channels" | "search"
  readonly parameters?: readonly Parameter[]
  readonly body?: JsonSchema
  /** The schema of the answer. Undefined if the answer is not JSON. */
  readonly answer?: JsonSchema
  /** The content of an answer that is not JSON. */
  readonly content?: Content
  /** The status of the answer; 200 unless set. */
  readonly status?: 201 | 302
  /** The statuses that the answer may have instead. */
  readonly further?: readonly FurtherStatus[]
  readonly errors?: readonly ErrorCode[]
}

/** An endpoint that is no part of the API. */
export interface NotInDocument {
  readonly kind: "none"
  readonly reason: string
}
