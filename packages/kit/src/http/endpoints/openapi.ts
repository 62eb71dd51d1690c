import type { OperationContext } from "../../engine/context/operation-context.ts"
import { readFlag } from "../../engine/context/read-options.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"
import { readQuery } from "../input-members.ts"
import { callerApp } from "../openapi/caller-app.ts"
import type { AppFacts, DescribedApp } from "../openapi/described-app.ts"
import { DocumentTexts } from "../openapi/document-texts.ts"
import { type DeclaredApi, wholeApp } from "../openapi/whole-app.ts"
import { type CallerRule, passesRule } from "../protection/caller-rule.ts"

/** The callers who get the document: all of them, those with a session or key, or none. */
export type OpenApiAudience = true | "signed-in" | false

export interface OpenApiDependencies extends DeclaredApi {
  readonly audience: OpenApiAudience
  readonly developer: CallerRule | undefined
  /** The facts about the app, without its endpoints. */
  readonly facts: Omit<AppFacts, "endpoints">
}

const OPTIONS = ["all", "locale"]

/** Returns the endpoint of the OpenAPI document. `endpoints` returns all endpoints of the app besides the author's. */
export function openApiEndpoints(
  parts: OpenApiDependencies,
  endpoints: () => readonly Pick<Endpoint, "method" | "path">[],
): readonly Endpoint[] {
  if (parts.audience === false) return []
  const facts = (): AppFacts => ({
    ...parts.facts,
    endpoints: endpoints().map(({ method, path }) => `${method} ${path}`),
  })
  const texts = new DocumentTexts()
  return [
    {
      method: "GET",
      path: "/_kit/openapi.json",
      isDescription: true,
      run: async (call) => {
        const json = await texts.read(await describedApp({ ...parts, facts }, call))
        return { json, meta: () => undefined }
      },
    },
  ]
}

interface DocumentSource extends Omit<OpenApiDependencies, "facts"> {
  facts(): AppFacts
}

async function describedApp(parts: DocumentSource, call: EndpointCall): Promise<DescribedApp> {
  const isWhole = readWhole(call)
  const { ctx } = call
  if (isWhole) {
    await requireDeveloper(parts, ctx)
    return wholeApp(parts.facts(), { schema: ctx.schema, routes: parts.routes })
  }
  if (parts.audience === "signed-in" && ctx.session === null) {
    throw new ApiError("UNAUTHORIZED", { message: "Sign in to read the description of the API." })
  }
  return callerApp(parts.facts(), { call, routes: parts.routes })
}

// Throws NOT_FOUND unless the caller is a developer of the app, so that nobody else learns that the call exists.
async function requireDeveloper({ developer, facts }: DocumentSource, ctx: OperationContext): Promise<void> {
  const rule = { setting: "developer", rule: developer, hasIdentity: facts().cookie !== undefined }
  if (!(await passesRule(rule, ctx))) throw new ApiError("NOT_FOUND")
}

function readWhole(call: EndpointCall): boolean {
  const { all } = readQuery(call, OPTIONS)
  return all !== undefined && readFlag("all", all)
}
