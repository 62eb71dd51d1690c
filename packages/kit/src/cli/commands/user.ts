import { randomBytes } from "node:crypto"
import type { App } from "../../app/app.ts"
import { pinoLogger } from "../../drivers/log/pino-logger.ts"
import type { Logger } from "../../ports/logger.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { type CommandArguments, CommandFailure, UsageError } from "../terminal/arguments.ts"
import { printable } from "../terminal/printable.ts"
import { showLine } from "../terminal/show.ts"
import { printJson } from "../terminal/standard-output.ts"
import { openApp } from "./start.ts"

const PASSWORD_BYTES = 15
const LOG_LEVEL = "warn"

/** Creates a user who can sign in. */
export async function create({ values }: CommandArguments): Promise<void> {
  const email = textOf(values["email"], "--email")
  const name = textOf(values["name"], "--name")
  if (values["admin"] && values["role"] !== undefined) throw new UsageError("Give --role or --admin, not both.")
  if (values["role"] === "")
    throw new UsageError("--role: it is empty. Leave it out for a user without a special role.")
  const given = values["password"]
  const password = typeof given === "string" ? given : randomBytes(PASSWORD_BYTES).toString("base64url")
  const role = values["admin"] ? "admin" : (values["role"] ?? undefined)
  const chosen = typeof role === "string" ? { role } : {}
  await withApp({}, (app) => app.users.create({ email, name, password, ...chosen }).catch(explain))
  showLine(`created ${email.trim().toLowerCase()}${chosen.role === undefined ? "" : ` (${chosen.role})`}`)
  if (typeof given !== "string") showLine(`password: ${password}    shown this once`)
}

/** Lists the users who can sign in. */
export async function list({ values }: CommandArguments): Promise<void> {
  // Logs go to standard error, because standard output is reserved for the list of users, which another program may
  // read.
  const logger = pinoLogger(LOG_LEVEL, process.stderr)
  await withApp({ logger }, async (app) => {
    const users = await readUsers(app)
    if (values["json"]) for (const user of users) printJson(user)
    else if (users.length === 0) showLine("there are no users yet: kit user create --email … --name …")
    else for (const user of users) showLine(printable(lineOf(user)))
  })
}

const PAGE = 1000

type UserRecord = Readonly<Record<string, unknown>>

async function readUsers(app: App): Promise<readonly UserRecord[]> {
  const users = app.system.collections["users"]
  if (users === undefined) throw new CommandFailure("The app has no users.")
  const found: UserRecord[] = []
  for (let offset = 0; ; offset += PAGE) {
    const { docs, hasNextPage } = await users.find({ orderBy: { email: "asc" }, limit: PAGE, offset, total: false })
    found.push(...docs)
    if (!hasNextPage) return found
  }
}

function lineOf({ id, email, name, role, banned }: UserRecord): string {
  return `${email}    ${name}    ${role}${banned === true ? ", banned" : ""}    ${id}`
}

function textOf(value: string | boolean | undefined, name: string): string {
  if (typeof value === "string" && value !== "") return value
  throw new UsageError(`Say ${name}: kit user create --email eva@example.com --name Eva.`)
}

// Rethrows an `ApiError` about invalid input as an error that the command line shows without a stack.
function explain(error: unknown): never {
  if (!(error instanceof ApiError)) throw error
  if (error.code === "CONFLICT")
    throw new CommandFailure("There is a user with this address already.", { cause: error })
  throw new UsageError(error.message, { cause: error })
}

async function withApp(options: { logger?: Logger }, work: (app: App) => Promise<unknown>): Promise<void> {
  const { loaded, app } = await openApp(process.cwd(), options)
  try {
    if (loaded.config.sessions)
      throw new CommandFailure("The app has its own sessions in kit.config.ts, so kit has no users.")
    await work(app)
  } finally {
    await app.stop()
  }
}
