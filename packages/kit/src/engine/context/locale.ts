import { ALL_LOCALES } from "../../schema/compile/locales.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import type { OperationContext } from "./operation-context.ts"
import { readFlag } from "./read-options.ts"

/** What a call may say about locales. */
interface LocaleOptions {
  readonly locale?: unknown
  readonly localeFallback?: unknown
}

/** The context in which localized fields mean what the options of the call say. */
export function inLocale(ctx: OperationContext, { locale, localeFallback }: LocaleOptions): OperationContext {
  if (locale === undefined && localeFallback === undefined) return ctx
  const asked = locale === undefined ? ctx.locale : readLocale(ctx, locale)
  const hasFallback = localeFallback === undefined || readFlag("localeFallback", localeFallback)
  return { ...ctx, locale: asked, schema: ctx.schema.inLocale({ locale: asked, hasFallback }) }
}

/** As `inLocale`, for options that may mean something else by the name. */
export function inListedLocale(ctx: OperationContext, locale: unknown): OperationContext {
  return typeof locale === "string" && ctx.schema.locales.all.includes(locale) ? inLocale(ctx, { locale }) : ctx
}

/** The context of the author's own reads within a call: a call for all locales does not change what they are answered. */
export function inOneLocale(ctx: OperationContext): OperationContext {
  const { locales } = ctx.schema
  const locale = ctx.locale === ALL_LOCALES ? locales.default : ctx.locale
  const schema = ctx.schema.inLocale({ locale, hasFallback: true })
  return schema === ctx.schema && locale === ctx.locale ? ctx : { ...ctx, locale, schema }
}

/** The resource as the context reads it. */
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
