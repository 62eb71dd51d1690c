import { ALL_LOCALES } from "../../schema/compile/locales.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import type { OperationContext } from "./operation-context.ts"
import { readFlag } from "./read-options.ts"

/** The options of an operation about locales. */
interface LocaleOptions {
  readonly locale?: unknown
  readonly localeFallback?: unknown
}

/** Returns the context with the locale and the fallback of the options. */
export function inLocale(ctx: OperationContext, { locale, localeFallback }: LocaleOptions): OperationContext {
  if (locale === undefined && localeFallback === undefined) return ctx
  const asked = locale === undefined ? ctx.locale : readLocale(ctx, locale)
  const hasFallback = localeFallback === undefined || readFlag("localeFallback", localeFallback)
  return { ...ctx, locale: asked, schema: ctx.schema.inLocale({ locale: asked, hasFallback }) }
}

/** Like `inLocale`, for options in which `locale` may have another meaning: ignores values that are not a locale. */
export function inListedLocale(ctx: OperationContext, locale: unknown): OperationContext {
  return typeof locale === "string" && ctx.schema.locales.all.includes(locale) ? inLocale(ctx, { locale }) : ctx
}

/** Returns the context for code of the author: one locale with its fallback, even if the call is for all locales. */
export function inOneLocale(ctx: OperationContext): OperationContext {
  const { locales } = ctx.schema
  const locale = ctx.locale === ALL_LOCALES ? locales.default : ctx.locale
  const schema = ctx.schema.inLocale({ locale, hasFallback: true })
  return schema === ctx.schema && locale === ctx.locale ? ctx : { ...ctx, locale, schema }
}

/** Returns the resource in the locale and stage of the context. */
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
