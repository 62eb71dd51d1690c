import { randomBytes } from "node:crypto"
import type { App } from "../../app/create-app.ts"
import { ApiError } from "../../wire/api-error.ts"
import { didYouMean } from "../../wire/did-you-mean.ts"
import { readArguments, UsageError } from "../arguments.ts"
import { readMigrations } from "../migration-files.ts"
import { showProgress } from "../show.ts"
import { openApp } from "./start.ts"

const TASKS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = { create, list }

/** Makes and lists the people who can sign in. */
export async function user([task = "", ...args]: readonly string[]): Promise<void> {
  const run = Object.hasOwn(TASKS, task) ? TASKS[task] : undefined
  if (run === undefined) throw unknownTask(task)
  await run(args)
}

function unknownTask(task: string): UsageError {
  const known = Object.keys(TASKS)
  if (task === "" || task.startsWith("-")) return new UsageError(`Say what to do: kit user ${known.join("|")}.`)
  return new UsageError(`There is no "kit user ${task}".${didYouMean(task, known)}`)
}

const CREATE_OPTIONS = {
  email: { type: "string" },
  name: { type: "string" },
  password: { type: "string" },
  role: { type: "string" },
  admin: { type: "boolean" },
} as const

const PASSWORD_BYTES = 15

async function create(args: readonly string[]): Promise<void> {
  const { values } = readArguments(args, CREATE_OPTIONS)
  const email = textOf(values["email"], "--email")
  const name = textOf(values["name"], "--name")
  if (values["admin"] && values["role"] !== undefined) throw new UsageError("Give --role or --admin, not both.")
  const given = values["password"]
  const password = typeof given === "string" ? given : randomBytes(PASSWORD_BYTES).toString("base64url")
  const role = values["admin"] ? "admin" : (values["role"] ?? undefined)
  const chosen = typeof role === "string" ? { role } : {}
  await withApp((app) => app.users.create({ email, name, password, ...chosen }).catch(explain))
  showProgress(`created ${email.toLowerCase()}${chosen.role === undefined ? "" : ` (${chosen.role})`}`)
  if (typeof given !== "string") showProgress(`password: ${password}    shown this once`)
}

async function list(args: readonly string[]): Promise<void> {
  const { positionals } = readArguments(args, {})
  if (positionals.length > 0) throw new UsageError(`There is nothing to say after it: "${positionals.join(" ")}".`)
  await withApp(async (app) => {
    const users = await readUsers(app)
    for (const line of users) showProgress(line)
    if (users.length === 0) showProgress("there are no users yet: kit user create --email … --name …")
  })
}

const PAGE = 1000

async function readUsers(app: App): Promise<string[]> {
  const users = app.system.collections["users"]
  if (users === undefined) throw new UsageError("The app has no users.")
  const lines: string[] = []
  for (let offset = 0; ; offset += PAGE) {
    const { docs, hasNextPage } = await users.find({ orderBy: { email: "asc" }, limit: PAGE, offset, total: false })
    lines.push(...docs.map(lineOf))
    if (!hasNextPage) return lines
  }
}

function lineOf({ id, email, name, role, banned }: Readonly<Record<string, unknown>>): string {
  return `${email}    ${name}    ${role}${banned === true ? ", banned" : ""}    ${id}`
}

function textOf(value: string | boolean | undefined, name: string): string {
  if (typeof value === "string" && value !== "") return value
  throw new UsageError(`Say ${name}: kit user create --email eva@example.com --name Eva.`)
}

// What is wrong with what was typed is no failure of the program.
function explain(error: unknown): never {
  if (!(error instanceof ApiError)) throw error
  if (error.code === "CONFLICT") throw new UsageError("There is a user with this address already.", { cause: error })
  throw new UsageError(error.message, { cause: error })
}

async function withApp(work: (app: App) => Promise<unknown>): Promise<void> {
  const root = process.cwd()
  const { loaded, app } = await openApp(root, { migrations: await readMigrations(root) })
  try {
    if (loaded.config.sessions)
      throw new UsageError("The app has its own sessions in kit.config.ts; kit knows no users.")
    await work(app)
  } finally {
    await app.stop()
  }
}
