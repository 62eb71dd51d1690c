import { ALL_LOCALES } from "../../schema/compile/locales.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import type { OperationContext } from "./operation-context.ts"
import { readFlag } from "./read-options.ts"

/** The locale options of an operation. */
interface LocaleOptions {
  readonly locale?: unknown
  readonly localeFallback?: unknown
}

/** Returns the context with the locale and the locale fallback that the options name. */
export function inLocale(ctx: OperationContext, { locale, localeFallback }: LocaleOptions): OperationContext {
  if (locale === undefined && localeFallback === undefined) return ctx
  const asked = locale === undefined ? ctx.locale : readLocale(ctx, locale)
  const hasFallback = localeFallback === undefined || readFlag("localeFallback", localeFallback)
  return { ...ctx, locale: asked, schema: ctx.schema.inLocale({ locale: asked, hasFallback }) }
}

/**
 * Like `inLocale`, but ignores a value that is not a locale of the app. It is for custom routes, in which the query
 * parameter `locale` may have another meaning.
 */
export function inListedLocale(ctx: OperationContext, locale: unknown): OperationContext {
  return typeof locale === "string" && ctx.schema.locales.all.includes(locale) ? inLocale(ctx, { locale }) : ctx
}

/**
 * Returns the context for the author's code. It has one locale with its fallback, even if the caller requested all
 * locales.
 */
export function inOneLocale(ctx: OperationContext): OperationContext {
  const { locales } = ctx.schema
  const locale = ctx.locale === ALL_LOCALES ? locales.default : ctx.locale
  const schema = ctx.schema.inLocale({ locale, hasFallback: true })
  return schema === ctx.schema && locale === ctx.locale ? ctx : { ...ctx, locale, schema }
}

/** Throws if the request asks for all locales, of which a description could name only one. */
export function requireOneLocale({ locale }: OperationContext): void {
  if (locale === ALL_LOCALES) throw invalid("locale", "A description is in one locale. Name it.")
}

/** Returns the resource with this kind and name, in the locale and the stages of the context. */
export function resourceIn(
  { schema }: Pick<OperationContext, "schema">,
  { kind, name }: Pick<Resource, "kind" | "name">,
): Resource {
  const resource = schema[kind === "global" ? "globals" : "collections"].get(name)
  if (resource === undefined) throw new Error(`There is no ${kind} "${name}" in the schema.`)
  return resource
}

function readLocale({ schema: { locales } }: OperationContext, locale: unknown): string {
  const isKnown = typeof locale === "string" && (locale === ALL_LOCALES || locales.all.includes(locale))
  if (!isKnown)
    throw invalid("locale", `Expected one of: ${locales.all.join(", ")}; or ${ALL_LOCALES} for all of them.`)
  return locale
}
