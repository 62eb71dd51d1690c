import type { CompiledChannels } from "../features/realtime/channels/compile-channels.ts"
import { buildDocument } from "../http/openapi/build-document.ts"
import type { AppFacts as ApiFacts } from "../http/openapi/described-app.ts"
import type { OpenApiDocument } from "../http/openapi/openapi-document.ts"
import { ENDPOINT_TABLE } from "../http/openapi/operations/endpoint-table.ts"
import { wholeApp } from "../http/openapi/whole-app.ts"
import type { AppSchema } from "../schema/compile/resource.ts"
import { SET_UP_PATH } from "../wire/paths/paths.ts"
import { type AppInputs, appInputs } from "./app-inputs.ts"
import { sessionCookieName } from "./config/session-cookie.ts"
import { consoleSettingOf } from "./config/settings/console-settings.ts"
import type { AppDefinition } from "./definition/app-definition.ts"
import { hasIdentity } from "./definition/compile-resources.ts"
import { definitionPart } from "./parts/definition-part.ts"

const SET_UP = `POST ${SET_UP_PATH}`

interface DescribedDefinition extends Pick<AppInputs, "config" | "facts" | "mode"> {
  readonly schema: AppSchema
  readonly channels: CompiledChannels
}

/** Returns the facts about an app that its OpenAPI document contains, without the endpoints. */
export function apiFacts({ config, facts, mode, schema, channels }: DescribedDefinition): Omit<ApiFacts, "endpoints"> {
  const { name, url, basePath } = facts
  return {
    ...{ name, url, basePath },
    locales: schema.locales,
    channels: channels.size > 0,
    signUp: config.auth?.signUp === true || config.auth?.signUp === "quiet",
    cookie: hasIdentity(config) ? sessionCookieName({ url, mode }) : undefined,
  }
}

/** Returns the OpenAPI document of a whole app that is not running. Nothing is opened. */
export async function wholeDocument(definition: AppDefinition): Promise<OpenApiDocument> {
  const inputs = appInputs(definition, {})
  // The first part of every app compiles it.
  const { schema, routes, channels } = await definitionPart.open(inputs)
  const facts = apiFacts({ ...inputs, schema, channels })
  const hasSetUp = facts.cookie !== undefined && consoleSettingOf(inputs.config) !== undefined
  const endpoints = Object.keys(ENDPOINT_TABLE).filter((key) =>
    key === SET_UP ? hasSetUp : facts.cookie || !key.includes(" /auth"),
  )
  return buildDocument(wholeApp({ ...facts, endpoints }, { schema, routes }))
}
