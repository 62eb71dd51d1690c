import { readVariable } from "../config/environment.ts"
import { isMailKept } from "../config/mail-config.ts"
import { openApiAudience } from "../config/settings/openapi-settings.ts"
import { requireStrongSecret } from "../config/strong-secret.ts"
import { AppMistakesError } from "../definition/app-mistakes.ts"
import type { CheckedApp } from "./checked-app.ts"
import { type Finding, fail, ok, warn } from "./finding.ts"

export function checkSecret({ config, isProduction }: CheckedApp): readonly Finding[] {
  if (config.sessions) return [ok("not needed: the app has its own sessions")]
  const secret = config.secret || readVariable("KIT_SECRET")
  if (!isProduction && !secret) return [ok("one is made in .kit; production needs KIT_SECRET")]
  const weakness = weaknessOf(secret)
  if (weakness === undefined) return [ok("strong enough for production")]
  const [what = "", ...how] = weakness.split(". ")
  const fix = how.join(". ").replaceAll("\n", " ")
  return [isProduction ? fail(what, fix) : warn(what.replace(", and this is production", ""), fix)]
}

// Runs the check that a production start runs, so that `kit doctor` reports a weak secret with the same message.
function weaknessOf(secret: string | undefined): string | undefined {
  try {
    requireStrongSecret(secret)
    return undefined
  } catch (error) {
    if (error instanceof AppMistakesError) return error.mistakes[0]?.message
    throw error
  }
}

export function checkUrl({ config, isProduction }: CheckedApp): readonly Finding[] {
  const url = config.app?.url
  if (url === undefined) {
    const message = "app.url is not set: links in mails and the origin of the app's pages are guessed"
    return [isProduction ? warn(message, URL_FIX) : ok(`${message}; production needs it`)]
  }
  if (isProduction && !url.startsWith("https://")) return [warn(`app.url is ${url}, without encryption`, URL_FIX)]
  return [ok(url)]
}

const URL_FIX = 'Write app: { url: "https://app.example.com" } in kit.config.ts.'

export function checkMail({ config: { email }, isProduction }: CheckedApp): readonly Finding[] {
  if (!isMailKept(email)) return [ok("mail is delivered")]
  const message = "mail is kept in the database, and not delivered"
  if (!isProduction) return [ok(message)]
  return [warn(message, 'Write email: { from: "news@example.com", smtp: { url: … } } in kit.config.ts.')]
}

export function checkDev({ config: { dev } }: CheckedApp): readonly Finding[] {
  const count = dev?.signIns?.length ?? 0
  if (count === 0) return [ok("no sign-ins are listed for development")]
  return [ok(`dev.signIns (${count}) is used by kit dev alone; nothing of it is exposed in production`)]
}

export function checkOpenApi({ config, isProduction }: CheckedApp): readonly Finding[] {
  const audience = openApiAudience(config, isProduction ? "production" : "development")
  if (audience === false) return [ok("the document is served to nobody")]
  if (config.developer !== true) return [ok(`served to ${audience === true ? "anyone" : "callers who have signed in"}`)]
  const message = "developer is true: anyone may read the document of the whole app, whatever the rules say"
  return [isProduction ? warn(message, DEVELOPER_FIX) : ok(`${message}; production needs a rule`)]
}

const DEVELOPER_FIX =
  'Write developer: ({ session }) => session?.user.role === "admin" in kit.config.ts, or leave it out.'

export function checkWorker({ config: { queue }, compiled }: CheckedApp): readonly Finding[] {
  const count = compiled?.jobs.size ?? 0
  if (queue?.worker !== false) return [ok(`kit start runs the jobs itself${count === 0 ? "; there are none" : ""}`)]
  return [warn("queue.worker is false: kit start runs no jobs", "Run kit worker beside it, at least once.")]
}
