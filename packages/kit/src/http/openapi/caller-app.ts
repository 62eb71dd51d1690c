import type { OperationContext } from "../../engine/context/operation-context.ts"
import { CallerRights } from "../../engine/introspect/caller-rights.ts"
import { mapInParallel } from "../../engine/read/map-in-parallel.ts"
import type { CompiledRoute } from "../../features/routes/compile-routes.ts"
import { mayCall } from "../../features/routes/run-route.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { OperationAccess, OperationName } from "../../wire/results/introspection.ts"
import type { EndpointCall } from "../endpoint.ts"
import { isAdmin } from "../protection/caller-rule.ts"
import type { AppFacts, DescribedApp, DescribedResource, DescribedRoute, Reader } from "./described-app.ts"

/** A caller who reads the document, and the routes that the app has. */
interface ReadingCall {
  readonly call: EndpointCall
  readonly routes: readonly CompiledRoute[]
}

/**
 * Returns the part of the app that the rules let the caller use. The rules are also evaluated for callers without
 * credentials, because the document says which calls need some.
 */
export async function callerApp(facts: AppFacts, { call, routes }: ReadingCall): Promise<DescribedApp> {
  const { ctx } = call
  const open = { ...ctx, session: null }
  const rights = new CallerRights(ctx)
  const compared = { rights, openRights: ctx.session === null ? rights : new CallerRights(open) }
  const resources = await mapInParallel(ctx.schema.resources, (resource) => describedResource(resource, compared))
  const described = await mapInParallel(routes, (route) => describedRoute(route, { call, ctx, open }))
  const known = resources.filter((each) => each !== undefined)
  return {
    ...facts,
    reader: readerOf(ctx),
    resources: known,
    search: known.some(({ resource, operations }) => resource.search !== undefined && operations.read !== false),
    routes: described.filter((each) => each !== undefined),
  }
}

function readerOf({ session }: OperationContext): Reader {
  if (session === null) return "anonymous"
  return isAdmin(session) ? "admin" : "user"
}

interface ComparedRights {
  readonly rights: CallerRights
  readonly openRights: CallerRights
}

async function describedResource(
  resource: Resource,
  { rights, openRights }: ComparedRights,
): Promise<DescribedResource | undefined> {
  if (!(await rights.mayIntrospect(resource))) return undefined
  const operations = await rights.operations(resource)
  return {
    resource,
    operations,
    fields: await rights.fields(resource),
    transitions: await rights.transitions(resource),
    stages: await rights.knownStages(resource),
    isPublic: openRights === rights || (await openRights.mayIntrospect(resource)),
    openOperations:
      openRights === rights ? operations : await operationsAmong(resource, { operations, rights: openRights }),
  }
}

// Evaluates only the operations that the caller may use: the others are not in the document.
async function operationsAmong(
  resource: Resource,
  { operations, rights }: { readonly operations: OperationAccess; readonly rights: CallerRights },
): Promise<OperationAccess> {
  // The cast is safe: the keys of an OperationAccess are names of operations.
  const names = (Object.keys(operations) as OperationName[]).filter((name) => operations[name] !== false)
  const allowed = await mapInParallel(names, (name) => rights.operation(resource, name))
  return Object.fromEntries(names.map((name, index) => [name, allowed[index] ?? false]))
}

interface RouteReaders {
  readonly call: EndpointCall
  readonly ctx: OperationContext
  /** The context of a caller without credentials. */
  readonly open: OperationContext
}

async function describedRoute(
  route: CompiledRoute,
  { call, ctx, open }: RouteReaders,
): Promise<DescribedRoute | undefined> {
  const asked = { params: {}, request: () => call.request("raw") }
  if (!(await mayCall(route, { ...asked, ctx }))) return undefined
  return { route, isOpen: ctx.session === null || (await mayCall(route, { ...asked, ctx: open })) }
}
