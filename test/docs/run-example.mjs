import { readFile } from "node:fs/promises"

// Runs an example of the client as a page would that a signed-in user has opened:
//   node --import tsx run-example.mjs <file> <address of the API>

const [file = "", address = ""] = process.argv.slice(2)
const email = /signed in as (\S+)/.exec(await readFile(file, "utf8"))?.[1] ?? "editor@example.com"

const signIn = await fetch(`${address}/auth/sign-in/email`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ email, password: "newsroom" }),
})
const cookie = signIn.headers
  .getSetCookie()
  .map((line) => line.split(";")[0])
  .join("; ")

const withoutCookies = globalThis.fetch
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set("cookie", cookie)
  return withoutCookies(input, { ...init, headers })
}

await import(file)
// An example may leave a live query open, as a page does.
process.exit(0)
