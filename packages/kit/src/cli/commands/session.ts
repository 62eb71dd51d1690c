import { chooseSecret } from "../../app/defaults.ts"
import { signedCookieSessions } from "../../drivers/signed-cookie-sessions.ts"
import { readArguments, UsageError } from "../arguments.ts"
import { loadApp } from "../load-app.ts"

const OPTIONS = { role: { type: "string" } } as const

/** Prints a cookie that acts as the given user, to try rules with curl before identity is there. */
export async function session(args: readonly string[]): Promise<void> {
  const { positionals, values } = readArguments(args, OPTIONS)
  const [id] = positionals
  if (id === undefined) throw new UsageError("Say whose session: kit session <user id> [--role editor].")
  const { config, root } = await loadApp(process.cwd())
  if (config.sessions) throw new UsageError("The app has its own sessions in kit.config.ts; sign in there.")
  const sessions = signedCookieSessions({ secret: await chooseSecret(config.secret, root) })
  const role = typeof values["role"] === "string" ? { role: values["role"] } : {}
  process.stdout.write(`${sessions.sign({ user: { id, ...role } })}\n`)
}
