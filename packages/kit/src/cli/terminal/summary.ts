import type { App } from "../../app/app.ts"
import { isMailKept } from "../../app/config/mail-config.ts"
import type { AccessOperation } from "../../schema/access/access.ts"
import type { JobDefinition } from "../../schema/builders/job.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { LoadedApp } from "../sources/load-app.ts"
import { count } from "./count.ts"
import { openPaths } from "./open-paths.ts"

export interface SummaryInput extends Pick<LoadedApp, "config" | "jobs" | "channels" | "emails" | "isBuilt"> {
  readonly port: number
  readonly isDevelopment: boolean
}

/** One line of the summary that is printed after a start. `kit dev` prints the line again only if it has changed. */
export interface SummaryLine {
  readonly key: string
  readonly text: string
  /** The value that is compared to detect a change of the line; the line's text unless set. */
  readonly changeKey?: string
}

/** Returns the lines that are printed after a start. */
export async function summaryOf(app: App, start: SummaryInput): Promise<readonly SummaryLine[]> {
  const { port, config, jobs, channels, isBuilt, isDevelopment } = start
  const { collections, resources } = app.schema
  const open = await openPaths(app)
  const url = urlOf(app, port)
  const place = isBuilt ? `${app.databaseNote}    from the build` : app.databaseNote
  return [
    { key: "address", text: `${config.app?.name ?? "kit"} on ${url}    ${place}`, changeKey: url },
    ...(isDevelopment ? [{ key: "page", text: `in a browser: http://localhost:${port}` }] : []),
    ...(await consoleLine(app, start)),
    { key: "counts", text: `${countsOf(app)}    open to anyone: ${open.join(", ") || "nothing"}` },
    ...(isDevelopment ? routeLines(app, { url, open }) : routesLine(app)),
    ...jobsLine(config, jobs),
    ...channelsLine(channels),
    ...mailLine(start, url),
    ...(isDevelopment ? signInLines(config) : []),
    ...(config.app?.note === undefined ? [] : [{ key: "note", text: config.app.note }]),
    ...resources.flatMap(ruleWarning),
    ...channels.flatMap(channelWarning),
    ...exampleCall(url, [...collections.values()]),
  ]
}

/** Returns the URL of the API on this machine. */
export function urlOf(app: App, port: number): string {
  return `http://localhost:${port}${app.basePath}`
}

// The token of the set-up stands behind the #, which a browser does not send: no log of a proxy has it.
async function consoleLine(app: App, { port, config, isDevelopment }: SummaryInput): Promise<SummaryLine[]> {
  if (app.consolePath === undefined) return []
  const publicUrl = isDevelopment ? undefined : config.app?.url
  const origin = publicUrl === undefined ? `http://localhost:${port}` : new URL(publicUrl).origin
  const token = await app.setUpToken()
  const address = `${origin}${app.consolePath}`
  const text = token === undefined ? `the console: ${address}` : `Finish the set-up: ${address}#setup=${token}`
  return [{ key: "console", text }]
}

function countsOf({ schema, routes }: App): string {
  const counts = [
    count(schema.collections.size, "collection"),
    count(schema.globals.size, "global"),
    count(routes.length, "route"),
  ]
  return counts.join(", ")
}

function routesLine({ routes }: App): SummaryLine[] {
  if (routes.length === 0) return []
  return [{ key: "routes", text: `routes: ${routes.map(({ title }) => title).join(", ")}` }]
}

interface OpenRoutes {
  readonly url: string
  readonly open: readonly string[]
}

function routeLines({ routes }: App, { url, open }: OpenRoutes): SummaryLine[] {
  const methodWidth = Math.max(...routes.map(({ definition }) => definition.method.length))
  const width = Math.max(...routes.map(({ pattern }) => pattern.length))
  return routes.map(({ definition, pattern, title }) => {
    const note = open.includes(title) ? "    open to anyone" : ""
    const address = `${definition.method.padEnd(methodWidth)} ${url}${pattern.padEnd(width)}`
    return { key: title, text: `${address}${note}`.trimEnd(), changeKey: `${url}${note}` }
  })
}

function jobsLine(config: LoadedApp["config"], jobs: LoadedApp["jobs"]): SummaryLine[] {
  if (jobs.length === 0) return []
  const texts = jobs.map(({ definition }) => jobText(definition))
  return [{ key: "jobs", text: `${jobsLabel(config)}: ${texts.join(", ")}` }]
}

function channelsLine(channels: LoadedApp["channels"]): SummaryLine[] {
  if (channels.length === 0) return []
  const texts = channels.map(({ key, definition }) => `${key} (${definition.name})`)
  return [{ key: "channels", text: `channels: ${texts.join(", ")}` }]
}

function channelWarning({ key, definition }: LoadedApp["channels"][number]): SummaryLine[] {
  if ("subscribe" in definition.access) return []
  const text = `channel "${key}" has no rule for subscribe: denied to all. Write .access({ subscribe: … }).`
  return [{ key: `rules of channel ${key}`, text }]
}

// Shows the URL at which an author can read the mail that is stored in development instead of delivered.
function mailLine({ config: { email }, emails, isDevelopment }: SummaryInput, url: string): SummaryLine[] {
  if (!isMailKept(email) || !isDevelopment || emails.length === 0) return []
  return [{ key: "mail", text: `mail is kept, not sent: ${url}/_kit/mail` }]
}

function signInLines({ dev }: LoadedApp["config"]): SummaryLine[] {
  const signIns = dev?.signIns ?? []
  return signIns.map(({ email, password }) => ({
    key: `sign in as ${email}`,
    text: `sign in as ${email} / ${password}`,
  }))
}

// Shows an example request for the collection with the most relations. The option `-g` prevents curl from interpreting
// the brackets.
function exampleCall(url: string, collections: readonly Resource[]): SummaryLine[] {
  const open = collections.filter((resource) => resource.access.read !== undefined && resource.access.read !== false)
  const [richest] = open.sort((left, right) => right.foreignKeys.length - left.foreignKeys.length)
  if (richest === undefined) return []
  const relation = richest.foreignKeys[0]?.field.name
  const call = `curl -g '${url}/${richest.name}?limit=2${relation ? `&with[${relation}]=true` : ""}'`
  return [{ key: "example", text: `\n  ${call}\n`, changeKey: url }]
}

function jobsLabel({ queue }: LoadedApp["config"]): string {
  return queue?.worker === false ? "jobs, left to kit worker" : "jobs"
}

function jobText({ name, cron }: JobDefinition): string {
  return cron === undefined ? name : `${name} (${cron.pattern.text} ${cron.pattern.timeZone})`
}

function neededRules({ kind, deletedAt, upload, access }: Resource): AccessOperation[] {
  if (kind === "global") return ["read", "update"]
  // In a collection of files, only uploads create records. Uploads need the rule `upload` or, if the author has written
  // none, the rule `create`.
  const make = upload && "upload" in access ? "upload" : "create"
  return ["read", make, "update", "delete", ...(deletedAt ? (["purge"] as const) : [])]
}

// Warns about operations without a rule. They are denied to every caller, which could look like a bug.
function ruleWarning(resource: Resource): SummaryLine[] {
  const text = missingRulesOf(resource)
  return text === undefined ? [] : [{ key: `rules of ${resource.kind} ${resource.name}`, text }]
}

/** Returns a message with the rules that a resource lacks and what to write; undefined if no rule is missing. */
export function missingRulesOf(resource: Resource): string | undefined {
  // The users collection has rules of its own, and users are created by signing up.
  if (resource.isIdentity) return undefined
  const missing = neededRules(resource).filter((operation) => !(operation in resource.access))
  if (missing.length === 0) return undefined
  const rules = missing.map((operation) => `${operation}: …`).join(", ")
  return `${resource.kind} "${resource.name}" has no rule for ${missing.join(", ")}: denied to all but system code. Write .access({ ${rules} }).`
}
