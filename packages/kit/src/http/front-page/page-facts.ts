import type { CompiledJobs } from "../../features/jobs/compile-jobs.ts"
import type { CompiledChannels } from "../../features/realtime/channels/compile-channels.ts"
import type { CompiledRoute } from "../../features/routes/compile-routes.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { globalPath, segment } from "../../wire/paths/paths.ts"
import type { EndpointCall } from "../endpoint.ts"
import { type Audience, audienceOf, isIncluded, routeAudience } from "./audience.ts"

/** A user who exists in development, with the password to sign in with. */
export interface DevSignIn {
  readonly email: string
  readonly password: string
}

/** The state of `kit dev`, which changes while the app runs. */
export interface DevStatus {
  /** The mistake that keeps a newer version of the app from starting, as text for people. */
  readonly mistake: string | undefined
}

/** The pages of kit's documentation. */
export interface Guide {
  titles(): Promise<readonly GuidePage[]>
  /** Resolves to the text of a page; undefined if there is no such page. */
  read(file: string): Promise<string | undefined>
}

interface GuidePage {
  /** The name of the page's file, such as `guide.md`. */
  readonly file: string
  readonly title: string
}

/** The console of the app. */
interface DescribedConsole {
  readonly path: string
  /** Returns the token that finishes the set-up; undefined if it is finished. */
  setUpToken(): Promise<string | undefined>
}

/** The app as the page describes it. */
export interface DescribedApp {
  readonly name: string
  readonly kitVersion: string
  readonly basePath: string
  readonly routes: readonly CompiledRoute[]
  readonly jobs: CompiledJobs
  readonly channels: CompiledChannels
  /** True if kit's own users sign in; false if the author has set a session provider. */
  readonly hasUsers: boolean
  readonly signIns: readonly DevSignIn[]
  /** Undefined if the app has no console. */
  readonly console: DescribedConsole | undefined
  /** True if mail is kept instead of delivered. */
  readonly isMailKept: boolean
  /** True if the app serves its OpenAPI document. */
  readonly hasOpenApi: boolean
  readonly guide: Guide
  readonly status: DevStatus
}

/** Everything that the page shows. */
export interface PageFacts {
  readonly name: string
  readonly kitVersion: string
  readonly basePath: string
  /** The origin under which the browser has opened the page. */
  readonly origin: string
  readonly mistake: string | undefined
  readonly user: PageUser | undefined
  /** Undefined if the app has its own sessions instead of kit's users. */
  readonly signIns: readonly DevSignIn[] | undefined
  readonly resources: readonly ResourceFacts[]
  readonly routes: readonly RouteFacts[]
  readonly jobs: readonly NamedFact[]
  readonly channels: readonly NamedFact[]
  readonly console: ConsoleLink | undefined
  readonly isMailKept: boolean
  readonly hasOpenApi: boolean
  readonly guide: readonly GuideLink[]
}

interface PageUser {
  readonly label: string
  readonly role: string | undefined
}

export interface ResourceFacts {
  readonly kind: Resource["kind"]
  readonly name: string
  readonly fieldCount: number
  readonly audience: Audience
  readonly path: string
  /** The address to open; undefined if the person who looks at the page may not read the resource. */
  readonly href: string | undefined
}

export interface RouteFacts {
  readonly method: string
  readonly path: string
  readonly audience: Audience
  /** The address to open; undefined for a route that a link cannot call. */
  readonly href: string | undefined
}

export interface NamedFact {
  readonly name: string
  readonly note: string | undefined
}

interface ConsoleLink {
  readonly href: string
  /** True while the link leads to the page that creates the first account. */
  readonly isSetUp: boolean
}

interface GuideLink {
  readonly title: string
  readonly href: string
}

const LISTED_RECORDS = 5
/** The path of the documentation, below the base path. */
export const GUIDE_PATH = "/_kit/guide"

/** Collects the facts of the page for the person who has opened it. */
export async function collectFacts(app: DescribedApp, call: EndpointCall): Promise<PageFacts> {
  const { name, kitVersion, basePath, isMailKept, hasOpenApi } = app
  const { resources } = call.callerCtx.schema
  return {
    ...{ name, kitVersion, basePath, isMailKept, hasOpenApi },
    origin: `http://${call.header("host") ?? "localhost"}`,
    mistake: app.status.mistake,
    user: userOf(call),
    console: app.console && (await consoleLink(app.console)),
    signIns: app.hasUsers ? app.signIns : undefined,
    resources: await Promise.all(resources.map((resource) => resourceFacts(resource, basePath, call))),
    routes: await Promise.all(app.routes.map((route) => routeFacts(route, basePath, call))),
    jobs: [...app.jobs].map(([key, { cron }]) => ({
      name: key,
      note: cron && `${cron.pattern.text} ${cron.pattern.timeZone}`,
    })),
    channels: [...app.channels].map(([key, channel]) => ({ name: key, note: channel.name })),
    guide: (await app.guide.titles()).map(({ file, title }) => ({
      title,
      href: `${basePath}${GUIDE_PATH}${segment(file)}`,
    })),
  }
}

async function consoleLink({ path, setUpToken }: DescribedConsole): Promise<ConsoleLink> {
  const token = await setUpToken()
  return token === undefined ? { href: path, isSetUp: false } : { href: `${path}#setup=${token}`, isSetUp: true }
}

function userOf({ callerCtx: { session } }: EndpointCall): PageUser | undefined {
  if (session === null) return undefined
  const { id, email, name, role } = session.user
  return { label: String(email ?? name ?? id), role }
}

async function resourceFacts(
  resource: Resource,
  basePath: string,
  { callerCtx }: EndpointCall,
): Promise<ResourceFacts> {
  const { kind, name, fields } = resource
  const audience = await audienceOf(callerCtx, resource)
  const path = kind === "global" ? globalPath(name) : segment(name)
  const query = kind === "global" ? "" : `?limit=${LISTED_RECORDS}`
  const fieldCount = [...fields.values()].filter(({ system }) => !system).length
  return {
    kind,
    name,
    fieldCount,
    audience,
    path,
    href: isIncluded(audience) ? `${basePath}${path}${query}` : undefined,
  }
}

async function routeFacts(route: CompiledRoute, basePath: string, call: EndpointCall): Promise<RouteFacts> {
  const { pattern, definition } = route
  const audience = await routeAudience(call, route)
  const isLink = definition.method === "GET" && !/\/[:*]/.test(pattern) && isIncluded(audience)
  return { method: definition.method, path: pattern, audience, href: isLink ? `${basePath}${pattern}` : undefined }
}
