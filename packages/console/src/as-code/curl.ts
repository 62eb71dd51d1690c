import type { ApiAddress } from "./client-code.ts"
import type { CodeRequest } from "./code-request.ts"
import { withVisibleCharacters } from "./visible-text.ts"

// Linux takes at most 128 KB as one argument of a command.
const LONGEST_ARGUMENT = 60_000
const COOKIES = "cookies.txt"

/** Writes a request as a command for a POSIX shell, with the cookies that `signInCommand` has stored. */
export function curlCommand({ method, url, body }: CodeRequest): string {
  // Brackets stand for themselves: curl would take them for a range of addresses.
  const first = ["curl --globoff --cookie", COOKIES]
  if (method !== "GET") first.push("--request", method)
  const json = body === null ? null : readableJson(body)
  const parts = [first.join(" "), shellQuoted(url)]
  if (json === null) return lines(parts)
  parts.push("--header 'content-type: application/json'")
  if (json.length <= LONGEST_ARGUMENT) return lines([...parts, `--data-raw ${shellQuoted(json)}`])
  const end = unusedWord(json)
  return `${lines([...parts, `--data-binary @- << '${end}'`])}\n${json}\n${end}`
}

/** Writes the command that signs in and stores the cookie of the session. The password is left to the person. */
export function signInCommand({ baseURL, basePath }: ApiAddress, email: string): string {
  const body = withVisibleCharacters(JSON.stringify({ email, password: "…" }))
  return lines([
    `curl --cookie-jar ${COOKIES}`,
    shellQuoted(`${baseURL}${basePath === "/" ? "" : basePath}/auth/sign-in/email`),
    "--header 'content-type: application/json'",
    `--data-raw ${shellQuoted(body)}`,
  ])
}

/** Writes a text so that a POSIX shell passes it on as it is. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function lines(parts: readonly string[]): string {
  const onOneLine = parts.join(" ")
  return onOneLine.length <= 80 ? onOneLine : parts.join(" \\\n  ")
}

const SHORT_JSON = 60

function readableJson(json: string): string {
  return withVisibleCharacters(json.length <= SHORT_JSON ? json : JSON.stringify(JSON.parse(json), null, 2))
}

function unusedWord(text: string): string {
  let word = "END"
  while (text.includes(word)) word += "_"
  return word
}
