import { createClient } from "kit/client"
import { type CollaborativeDocument, createCrdtClient } from "kit/crdt"
import type { AppConfig, AppLocale } from "../../../examples/newsroom/src/generated/index.ts"
import { schema } from "../../../examples/newsroom/web/src/desk/article/editor-schema.ts"
import { mountEditor } from "../../../examples/newsroom/web/src/desk/article/mount-editor.ts"

const COLORS = ["#a3341f", "#1d5fa8", "#2b6e3f", "#7a3e9d", "#8a5a00", "#00697a"]

interface User {
  readonly id: string
  readonly name: string
}

const client = createClient<AppConfig>({ baseURL: location.origin, basePath: "/api" })
const crdt = createCrdtClient(client)
let user: User | undefined
let closeArticle = () => {}

element("sign-in").addEventListener("submit", (event) => {
  event.preventDefault()
  signIn(new FormData(event.target as HTMLFormElement)).catch(showMistake)
})
element("sign-out").addEventListener("click", () => void signOut().catch(showMistake))
element("locale").addEventListener("change", () => {
  const [id] = addressed()
  location.hash = `${id}.${(element("locale") as HTMLSelectElement).value}`
})
addEventListener("hashchange", openArticle)
start().catch(showMistake)

async function start(): Promise<void> {
  // Without a connection, the page shows what this browser has kept of the article.
  const session = await fetch("/api/auth/get-session").then(
    (answer) => answer.json(),
    () => undefined,
  )
  user = session?.user
  element("sign-in").hidden = session !== null
  element("signed-in").hidden = user === undefined
  element("name").textContent = user?.name ?? ""
  client.collections.articles.watch(
    { stage: "draft", orderBy: { updatedAt: "desc" }, limit: 50 },
    ({ docs }) => showArticles(docs),
    {
      onError: showMistake,
    },
  )
  openArticle()
}

async function signIn(form: FormData): Promise<void> {
  const answer = await post("/api/auth/sign-in/email", Object.fromEntries(form))
  if (!answer.ok) throw new Error("The email or the password is wrong.")
  location.reload()
}

async function signOut(): Promise<void> {
  closeArticle()
  // Nothing of the articles stays on this device.
  await crdt.clear()
  await post("/api/auth/sign-out", {})
  location.reload()
}

function openArticle(): void {
  closeArticle()
  const [id, locale] = addressed()
  element("article").hidden = id === ""
  if (id === "") return
  const body = crdt.collections.articles.document({ id, locale, schema })
  if (user) body.awareness.setLocalStateField("user", { name: user.name, color: colorOf(user.id) })
  const editor = mountEditor(element("text"), { document: body, field: "body", labelledBy: "title" })
  const showPeople = () => show("people", people(body))
  const showState = () => {
    element("state").textContent = stateOf(body)
  }
  const unsubscribe = body.subscribe(showState)
  body.awareness.on("change", showPeople)
  showPeople()
  showState()
  markArticle()
  closeArticle = () => {
    unsubscribe()
    body.awareness.off("change", showPeople)
    editor.unmount()
    body.destroy()
    closeArticle = () => {}
  }
}

/** The article and the language that the address of the page names, such as `#0193….sk`. */
function addressed(): [id: string, locale: AppLocale] {
  const [id = "", locale] = location.hash.slice(1).split(".")
  return [id, locale === "sk" ? "sk" : "en"]
}

function stateOf({ status, pending, canEdit, problem, error }: CollaborativeDocument): string {
  if (status === "connecting") return "Connecting…"
  if (status === "denied") return error?.message ?? "You may not read this article."
  if (status === "offline") return pending > 0 ? `Offline. ${pending} changes are kept on this device.` : "Offline."
  if (problem !== null) return canEdit ? `Not in the article yet: ${problem}` : problem
  if (!canEdit) return "You can read this article, but you may not edit it."
  return pending > 0 ? "Saving…" : "Saved."
}

function people({ awareness }: CollaborativeDocument): HTMLElement[] {
  const states = [...awareness.getStates().values()]
  const present = new Map(states.flatMap(({ user }) => (user ? [[user.id ?? user.name, user]] : [])))
  return [...present.values()].map(({ name, color }) => {
    const item = document.createElement("li")
    item.textContent = name
    item.style.background = color
    return item
  })
}

function showArticles(articles: readonly { readonly id: string; readonly title: string }[]): void {
  const items = articles.map(({ id, title }) => {
    const link = document.createElement("a")
    link.href = `#${id}.${addressed()[1]}`
    link.textContent = title
    const item = document.createElement("li")
    item.append(link)
    return item
  })
  show("articles", items)
  markArticle()
}

function markArticle(): void {
  const [id, locale] = addressed()
  ;(element("locale") as HTMLSelectElement).value = locale
  for (const link of document.querySelectorAll<HTMLAnchorElement>("#articles a")) {
    const isOpen = link.hash.startsWith(`#${id}.`)
    link.toggleAttribute("aria-current", isOpen)
    if (isOpen) element("title").textContent = link.textContent
  }
}

function showMistake(error: unknown): void {
  element("mistake").hidden = false
  element("mistake").textContent = error instanceof Error ? error.message : String(error)
}

function colorOf(id: string): string {
  const sum = [...id].reduce((total, character) => total + character.charCodeAt(0), 0)
  return COLORS[sum % COLORS.length] ?? "#000000"
}

function post(path: string, body: object): Promise<Response> {
  return fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
}

function show(id: string, items: readonly HTMLElement[]): void {
  element(id).replaceChildren(...items)
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no element "${id}".`)
  return found
}
