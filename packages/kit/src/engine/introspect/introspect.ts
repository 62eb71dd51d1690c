import type { Resource } from "../../schema/compile/resource.ts"
import type {
  AppIndex,
  CollectionMeta,
  CollectionSchema,
  GlobalMeta,
  GlobalSchema,
  ResourceSummary,
} from "../../wire/results/introspection.ts"
import { denied } from "../access/authorize.ts"
import { requireOneLocale } from "../context/locale.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { checkOptions, type UncheckedOptions } from "../context/read-options.ts"
import { type Answer, plainAnswer } from "../read/answer.ts"
import { mapInParallel } from "../read/map-in-parallel.ts"
import { CallerRights } from "./caller-rights.ts"
import { indexedNames } from "./describe-layout.ts"
import { labels } from "./describe-meta.ts"
import { describeKind, describeResource } from "./describe-resource.ts"
import { descriptionHash } from "./description-hash.ts"
import { knownNames, knownRights, knownTargets } from "./known-rights.ts"
import { Texts } from "./texts.ts"

/** Returns the short description of a resource for the caller. */
export async function readMeta(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<Answer<CollectionMeta | GlobalMeta>> {
  checkDescriptionOptions(ctx, given)
  const rights = await rightsToDescribe(ctx, resource)
  return plainAnswer(describeKind(resource, await knownNames(rights, resource), textsFor(ctx)))
}

/** Returns the full description of a resource for the caller. */
export async function readSchema(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<Answer<CollectionSchema | GlobalSchema>> {
  checkDescriptionOptions(ctx, given)
  const rights = await rightsToDescribe(ctx, resource)
  const known = await knownRights(ctx, rights, resource)
  const hash = descriptionHash(ctx, resource, known)
  return plainAnswer({ ...describeResource(resource, known, textsFor(ctx)), hash })
}

/** Facts about the app that stand in its index. The rest comes from the schema. */
type AppDescription = Pick<AppIndex, "name" | "limits" | "console">

/** Returns the index of the app: all resources that the caller may know. */
export async function readIndex(
  ctx: OperationContext,
  { name, limits, console }: AppDescription,
  given: UncheckedOptions,
): Promise<Answer<AppIndex>> {
  checkDescriptionOptions(ctx, given)
  const { locales } = ctx.schema
  return plainAnswer({
    name,
    locale: ctx.locale,
    locales: { default: locales.default, all: locales.all },
    limits,
    user: describeUser(ctx),
    console,
    resources: await summarizeResources(ctx),
  })
}

function checkDescriptionOptions(ctx: OperationContext, given: UncheckedOptions): void {
  checkOptions(ctx, "description", given)
  requireOneLocale(ctx)
}

async function rightsToDescribe(ctx: OperationContext, resource: Resource): Promise<CallerRights> {
  const rights = new CallerRights(ctx)
  if (await rights.mayIntrospect(resource)) return rights
  throw denied(ctx.session, `read the description of ${resource.name}`)
}

function textsFor({ schema, locale }: OperationContext): Texts {
  return new Texts(schema.locales, locale)
}

function describeUser({ session }: OperationContext): AppIndex["user"] {
  if (session === null) return null
  const { id, name, role } = session.user
  return { id, name: textOrNull(name), role: textOrNull(role) }
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null
}

async function summarizeResources(ctx: OperationContext): Promise<readonly ResourceSummary[]> {
  const rights = new CallerRights(ctx)
  const texts = textsFor(ctx)
  const summaries = await mapInParallel(ctx.schema.resources, async (resource) =>
    (await rights.mayIntrospect(resource)) ? [await summarize(resource, { ctx, rights, texts })] : [],
  )
  return summaries.flat()
}

interface SummaryParts {
  readonly ctx: OperationContext
  readonly rights: CallerRights
  readonly texts: Texts
}

async function summarize(resource: Resource, { ctx, rights, texts }: SummaryParts): Promise<ResourceSummary> {
  const operations = await rights.operations(resource)
  const transitions = await rights.transitions(resource)
  const stages = await rights.knownStages(resource)
  const relations = await knownTargets(rights, resource)
  const { presentation } = resource
  return {
    name: resource.name,
    kind: resource.kind,
    ...labels(resource, texts),
    icon: presentation.icon ?? null,
    group: texts.find(presentation.group),
    ...(await indexedNames(resource, (field) => rights.readField(resource, field))),
    access: operations,
    hash: descriptionHash(ctx, resource, { operations, transitions, stages, relations }),
  }
}
