import { AppMistakesError } from "../definition/app-mistakes.ts"
import { CONFIG_FILE } from "./config.ts"

const MIN_CHARACTERS = 32
const MIN_DISTINCT_CHARACTERS = 8
const PLACEHOLDER =
  /^(?:my|your|the|a|kit|super|very|top|some)*(?:secret|change|replace|password|placeholder|example|default|insert|todo)/
const HOW_TO = `Make one with: openssl rand -base64 32
or: node -e 'console.log(crypto.randomBytes(32).toString("base64"))'
and set it as KIT_SECRET, the same for all instances of the app.`

/** Throws if the app's secret is missing or can be guessed, because sessions could then be forged. */
export function requireStrongSecret(secret: string | undefined): void {
  const weakness = secret === undefined || secret === "" ? "is missing" : weaknessOf(secret)
  if (weakness === undefined) return
  throw new AppMistakesError([
    { file: CONFIG_FILE, message: `the secret that signs sessions ${weakness}, and this is production. ${HOW_TO}` },
  ])
}

function weaknessOf(secret: string): string | undefined {
  if (secret.length < MIN_CHARACTERS) return `has only ${secret.length} of at least ${MIN_CHARACTERS} characters`
  if (PLACEHOLDER.test(secret.toLowerCase().replace(/[^a-z]/g, ""))) return "looks like a placeholder"
  return new Set(secret).size < MIN_DISTINCT_CHARACTERS ? "repeats a few characters" : undefined
}
