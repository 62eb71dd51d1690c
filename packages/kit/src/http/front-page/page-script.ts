/**
 * The script of the page: signs in and out, copies the code, and asks every second whether the app has restarted or has
 * a mistake.
 */
export const PAGE_SCRIPT = `
const { base, start } = document.body.dataset
const byId = (id) => document.getElementById(id)

async function post(path, body) {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) })
  if (answer.ok) return location.reload()
  const { error } = await answer.json()
  byId("notice").textContent = error.message
}

async function copy(button) {
  await navigator.clipboard.writeText(byId(button.dataset.copy).textContent)
  button.textContent = "Copied"
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button")
  if (button === null) return
  const { email, password } = button.dataset
  const task = button.dataset.copy ? copy(button)
    : email ? post("/auth/sign-in/email", { email, password })
    : post("/auth/sign-out", {})
  task.catch((error) => { byId("notice").textContent = String(error) })
})

function show(mistake) {
  byId("mistake-text").textContent = mistake ?? ""
  byId("mistake").hidden = mistake === null
}

// The app cannot be reached while it restarts. The page then asks again.
async function check() {
  if (document.hidden) return
  const answer = await fetch(base + "/_kit/dev").catch(() => undefined)
  if (!answer?.ok) return
  const status = await answer.json()
  if (status.startId === start) show(status.mistake)
  else location.reload()
}
setInterval(check, 1000)
`
