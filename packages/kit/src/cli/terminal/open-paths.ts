import type { App } from "../../app/app.ts"
import { type AnonymousRead, anonymousCall, anonymousRead } from "../../app/doctor/anonymous-access.ts"
import type { Resource } from "../../schema/compile/resource.ts"

/** Returns the reads and routes that are open to callers without a session, in the words of the start's summary. */
export async function openPaths({ schema, routes }: Pick<App, "schema" | "routes">): Promise<readonly string[]> {
  const reads = schema.resources.map(async (resource) => readText(resource, await anonymousRead(schema, resource)))
  const calls = routes.map(async (route) => ROUTE_TEXTS[await anonymousCall(schema, route)](route.title))
  return (await Promise.all([...reads, ...calls])).filter((text) => text !== undefined)
}

const ROUTE_TEXTS = {
  all: (title: string) => title,
  some: (title: string) => title,
  none: () => undefined,
  unknown: (title: string) => `perhaps ${title}`,
} as const

function readText(resource: Resource, { right, stage }: AnonymousRead): string | undefined {
  const isGlobal = resource.kind === "global"
  const call = isGlobal ? `GET /globals/${resource.name}` : `GET /${resource.name}`
  switch (right) {
    case "none":
      return undefined
    case "unknown":
      return `perhaps ${call}`
    case "some":
      // A global has one record, which a filter shows or hides.
      return isGlobal ? `perhaps ${call}` : `some ${stage === undefined ? "" : `${stage} `}records of ${call}`
    case "all":
      return isGlobal || stage === undefined ? call : `${stage} records of ${call}`
    default:
      return right satisfies never
  }
}
