import { operationsOf } from "../../engine/introspect/caller-rights.ts"
import type { CompiledRoute } from "../../features/routes/compile-routes.ts"
import { signedIn } from "../../schema/access/signed-in.ts"
import { type AppSchema, isUpdatable, isWritable, type Resource } from "../../schema/compile/resource.ts"
import type { OperationAccess, OperationName } from "../../wire/results/introspection.ts"
import type { AppFacts, DescribedApp, DescribedResource } from "./described-app.ts"

/** Everything that an author declares for callers of the API. */
export interface DeclaredApi {
  readonly schema: AppSchema
  readonly routes: readonly CompiledRoute[]
}

/** Returns the whole app as its developer may see it: everything but hidden fields. No rule is evaluated. */
export function wholeApp(facts: AppFacts, { schema, routes }: DeclaredApi): DescribedApp {
  return {
    ...facts,
    reader: "developer",
    resources: schema.resources.map(wholeResource),
    search: schema.resources.some(({ search }) => search !== undefined),
    routes: routes.map((route) => ({ route, isOpen: route.definition.access !== signedIn })),
  }
}

function wholeResource(resource: Resource): DescribedResource {
  const names = operationsOf(resource)
  const stages = [...(resource.workflow?.stages.keys() ?? [])]
  const shown = [...resource.fields.values()].filter(({ hidden }) => !hidden)
  const isCollection = resource.kind === "collection"
  return {
    resource,
    operations: allowed(names),
    fields: new Map(
      shown.map((field) => [
        field.name,
        {
          read: field.access.read === undefined || field.access.read === true ? true : "filtered",
          create: isCollection && isWritable(field),
          update: isUpdatable(resource, field),
        },
      ]),
    ),
    transitions: new Map(stages.map((stage) => [stage, true])),
    stages: new Set(stages),
    isPublic: true,
    // A rule that is a function may allow callers without credentials, so they count as optional.
    openOperations: allowed(names),
  }
}

function allowed(names: readonly OperationName[]): OperationAccess {
  return Object.fromEntries(names.map((name) => [name, true]))
}
