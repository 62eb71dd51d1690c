import type { App } from "../app/create-app.ts"
import type { AccessOperation } from "../schema/access.ts"
import type { JobDefinition } from "../schema/job.ts"
import type { Resource } from "../schema/resource.ts"
import type { LoadedApp } from "./load-app.ts"

interface Start extends Pick<LoadedApp, "config" | "jobs"> {
  readonly port: number
}

/** What a person wants to know right after the start. */
export function summaryOf(app: App, { port, config, jobs }: Start): readonly string[] {
  const { collections, globals, resources } = app.schema
  const url = `http://localhost:${port}${app.basePath}`
  const openReads = resources
    .filter((resource) => resource.access.read === true)
    .map((resource) => `GET ${pathOf(resource)}`)
  const open = [...openReads, ...app.routes.filter(isOpen).map(({ title }) => title)]
  const counts = [
    count(collections.size, "collection"),
    count(globals.size, "global"),
    count(app.routes.length, "route"),
  ]
  return [
    `${config.app?.name ?? "kit"} on ${url}    ${app.databaseNote}`,
    `${counts.join(", ")}    open to anyone: ${open.join(", ") || "nothing"}`,
    ...(app.routes.length > 0 ? [`routes: ${app.routes.map(({ title }) => title).join(", ")}`] : []),
    ...(jobs.length > 0
      ? [`${jobsLabel(config)}: ${jobs.map(({ definition }) => jobText(definition)).join(", ")}`]
      : []),
    ...(config.app?.note === undefined ? [] : [config.app.note]),
    ...resources.flatMap(ruleWarning),
    "",
    ...exampleCall(url, [...collections.values()]),
  ]
}

// The collection with the most relations shows the most. `-g` keeps curl from reading the brackets itself.
function exampleCall(url: string, collections: readonly Resource[]): string[] {
  const open = collections.filter((resource) => resource.access.read !== undefined && resource.access.read !== false)
  const [richest] = open.sort((left, right) => right.foreignKeys.length - left.foreignKeys.length)
  if (richest === undefined) return []
  const relation = richest.foreignKeys[0]?.field.name
  return [`curl -g '${url}/${richest.name}?limit=2${relation ? `&with[${relation}]=true` : ""}'`, ""]
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}

function jobsLabel({ queue }: LoadedApp["config"]): string {
  return queue?.worker === false ? "jobs, left to kit worker" : "jobs"
}

function jobText({ name, cron }: JobDefinition): string {
  return cron === undefined ? name : `${name} (${cron.pattern.text} ${cron.pattern.timeZone})`
}

function isOpen({ definition: { access = true } }: App["routes"][number]): boolean {
  return access === true
}

function pathOf(resource: Resource): string {
  return resource.kind === "global" ? `/globals/${resource.name}` : `/${resource.name}`
}

function neededRules({ kind, deletedAt }: Resource): AccessOperation[] {
  if (kind === "global") return ["read", "update"]
  return ["read", "create", "update", "delete", ...(deletedAt ? (["purge"] as const) : [])]
}

// Without a rule an operation is denied to everyone: said aloud, or it looks like a fault.
function ruleWarning(resource: Resource): string[] {
  // Users have rules of their own, and are written by signing up.
  if (resource.isIdentity) return []
  const missing = neededRules(resource).filter((operation) => !(operation in resource.access))
  if (missing.length === 0) return []
  return [
    `${resource.kind} "${resource.name}" has no rule for ${missing.join(", ")}: denied to all but system code. Write .access({ ${missing[0]}: … }).`,
  ]
}
