import { readFile, writeFile } from "node:fs/promises"

// Runs an example of the client as a page would that a signed-in user has opened:
//   node --import tsx run-example.mjs <file> <address of the API>

const [file = "", address = ""] = process.argv.slice(2)
const email = /signed in as (\S+)/.exec(await readFile(file, "utf8"))?.[1] ?? "editor@example.com"

// The examples share one session for each user, because a server limits how often somebody signs in.
const kept = `.docs/${email}.cookie`
const cookie = (await currentCookie()) ?? (await signIn())

const withoutCookies = globalThis.fetch
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set("cookie", cookie)
  return withoutCookies(input, { ...init, headers })
}

await import(file)
// An example may leave a live query open, as a page does.
process.exit(0)

/** @returns {Promise<string | undefined>} the cookie of an earlier example, unless its session has ended */
async function currentCookie() {
  const cookie = await readFile(kept, "utf8").catch(() => undefined)
  if (cookie === undefined) return undefined
  const answer = await fetch(`${address}/auth/get-session`, { headers: { cookie } })
  return (await answer.json()) === null ? undefined : cookie
}

async function signIn() {
  const answer = await fetch(`${address}/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "newsroom" }),
  })
  if (!answer.ok) throw new Error(`${email} cannot sign in: ${await answer.text()}`)
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";")[0])
  await writeFile(kept, cookies.join("; "))
  return cookies.join("; ")
}
