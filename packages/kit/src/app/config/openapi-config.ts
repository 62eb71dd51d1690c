import type { CompiledChannels } from "../../features/realtime/channels/compile-channels.ts"
import type { OpenApiAudience } from "../../http/endpoints/openapi.ts"
import type { AppFacts as ApiFacts } from "../../http/openapi/described-app.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { AppFacts } from "../../schema/context/handler-context.ts"
import type { AppMode } from "../definition/app-definition.ts"
import { hasIdentity } from "../definition/compile-resources.ts"
import type { KitConfig } from "./config.ts"
import { sessionCookieName } from "./session-cookie.ts"
import type { SettingType } from "./settings/setting.ts"

/** The values of the setting `openapi`. */
export const OPENAPI_AUDIENCE: SettingType = {
  type: '`true`, `"signed-in"` or `false`',
  check: (value) => (typeof value === "boolean" || value === "signed-in" ? undefined : 'true, "signed-in" or false'),
}

/** The values of the setting `developer`. */
export const DEVELOPER_RULE: SettingType = {
  type: "`true`, `false` or a function",
  check: (value) =>
    typeof value === "boolean" || typeof value === "function"
      ? undefined
      : 'a boolean or a function such as ({ session }) => session?.user.role === "admin"',
}

/**
 * Returns who gets the OpenAPI document. It shows nobody more than they may use, but it lists all of that in one answer,
 * so outside of development it is only for callers who have signed in.
 */
export function openApiAudience({ openapi }: KitConfig, mode: AppMode): OpenApiAudience {
  return openapi ?? (mode === "development" ? true : "signed-in")
}

interface DescribedDefinition {
  readonly config: KitConfig
  readonly facts: AppFacts
  readonly mode: AppMode
  readonly schema: AppSchema
  readonly channels: CompiledChannels
}

/** Returns the facts about an app that its OpenAPI document contains, without the endpoints. */
export function apiFacts({ config, facts, mode, schema, channels }: DescribedDefinition): Omit<ApiFacts, "endpoints"> {
  const { name, url, basePath } = facts
  return {
    ...{ name, url, basePath },
    locales: schema.locales.all,
    channels: channels.size > 0,
    signUp: config.auth?.signUp === true || config.auth?.signUp === "quiet",
    cookie: hasIdentity(config) ? sessionCookieName({ url, mode }) : undefined,
  }
}
