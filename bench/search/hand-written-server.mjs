// The same search as kit's, by node:http, pg and the statements of hand-written.sql, and nothing else.
//   node hand-written-server.mjs       env: PORT, DATABASE_URL
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import pg from "pg"

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 10 })
const statements = readStatements(readFileSync(new URL("./hand-written.sql", import.meta.url), "utf8"))
const ENTITIES = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\x02": "<mark>",
  "\x03": "</mark>",
}

const ESCAPED = new RegExp(`[${Object.keys(ENTITIES).join("")}]`, "g")

createServer((request, response) => {
  answer(request).then(
    (body) => send(response, 200, body),
    (error) => send(response, 500, { error: { message: error.message } }),
  )
}).listen(Number(process.env["PORT"]), "127.0.0.1")

/** @param {string} sql @returns {Record<string, string>} */
function readStatements(sql) {
  const parts = sql.split(/^-- name: (\w+)\n/m).slice(1)
  return Object.fromEntries(parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1]]] : [])))
}

/** @param {import("node:http").IncomingMessage} request */
async function answer(request) {
  if (request.url === "/health") return { ok: true }
  const { query, limit, facets } = JSON.parse(await text(request))
  const owner = await ownerOf(request.headers.cookie ?? "")
  const words = query.split(" ").map((/** @type {string} */ word) => word.replace(/\W/g, ""))
  const last = words.pop()
  const name = facets ? "words" : "typed"
  const [row] = await run(name, [words.join(" & "), last, `${last}:*`, owner, limit])
  const { section, kind, year } = row
  return { docs: (row.docs ?? []).map(found), total: row.total, ...(facets && { facets: { section, kind, year } }) }
}

/** @param {string} cookie */
async function ownerOf(cookie) {
  const [, token = ""] = /kit\.session_token=([^.;]+)/.exec(cookie) ?? []
  const hash = createHash("sha256").update(decodeURIComponent(token)).digest("base64url")
  const [session] = await run("session", [hash])
  if (session === undefined) throw new Error("Nobody is signed in.")
  return session.owner
}

/** @param {string} name @param {unknown[]} values */
async function run(name, values) {
  return (await pool.query({ name, text: statements[name] ?? "", values })).rows
}

/** @param {Record<string, any>} row */
function found({ score, markedTitle, markedBody, ...doc }) {
  const highlights = { ...highlight("title", markedTitle), ...highlight("body", markedBody) }
  return { ...doc, _collection: "documents", _search: { score, highlights, indexedTitle: doc.title } }
}

/** @param {string} field @param {string} marked */
function highlight(field, marked) {
  const parts = marked.split("\x04").filter((part) => part.includes("\x02"))
  return parts.length === 0 ? {} : { [field]: parts.map(toHtml) }
}

/** @param {string} part */
function toHtml(part) {
  return part.trim().replace(ESCAPED, (character) => ENTITIES[character])
}

/** @param {import("node:http").ServerResponse} response @param {number} status @param {unknown} body */
function send(response, status, body) {
  const json = JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(json) })
  response.end(json)
}
