import type { Audience } from "./audience.ts"
import { type Html, html, raw } from "./html.ts"
import type { NamedFact, PageFacts, ResourceFacts, RouteFacts } from "./page-facts.ts"
import { PAGE_SCRIPT } from "./page-script.ts"
import { PAGE_STYLE } from "./page-style.ts"

const STYLE = raw(`<style>${PAGE_STYLE}</style>`)
// Not part of the tagged template below: bundlers rewrite a tagged template with a closing script tag.
const SCRIPT = raw(`<script>${PAGE_SCRIPT}</script>`)

/** Returns the page as an HTML document. `startId` identifies the running process. */
export function renderPage(facts: PageFacts, startId: string): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${facts.name}</title>
<link rel="icon" href="data:,">
${STYLE}
</head>
<body data-base="${facts.basePath}" data-start="${startId}">
${header(facts)}
<main>
${mistakePanel(facts)}
${addressPanel(facts)}
<div class="column">
${resourcesPanel(facts, "collection", "Collections")}
${resourcesPanel(facts, "global", "Globals")}
${routesPanel(facts)}
<div class="pair">
${namesPanel("Jobs", facts.jobs)}
${namesPanel("Channels", facts.channels)}
</div>
</div>
<div class="column">
${signInPanel(facts)}
<p class="notice" id="notice" role="status"></p>
${toolsPanel(facts)}
${guidePanel(facts)}
</div>
</main>
<footer>kit dev shows this page to browsers on this machine. In production, the address / is yours.</footer>
${SCRIPT}
</body>
</html>
`
  return page.text
}

function header({ name, kitVersion, user, signIns }: PageFacts): Html {
  const nobody = signIns === undefined ? undefined : html`<span>You are not signed in</span>`
  const who = user
    ? html`<span>Signed in as <strong>${user.label}</strong>${user.role && `, ${user.role}`}</span>${signOut(signIns !== undefined)}`
    : nobody
  return html`<header>
<span class="mark" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>
<div><h1>${name}</h1><p class="version">kit ${kitVersion}, development</p></div>
<div class="who">${who}</div>
</header>`
}

function signOut(hasUsers: boolean): Html | undefined {
  return hasUsers ? html`<button type="button">Sign out</button>` : undefined
}

function mistakePanel({ mistake }: PageFacts): Html {
  return html`<section class="panel wide mistake" id="mistake" role="alert"${raw(mistake === undefined ? " hidden" : "")}>
<h2>The last change has a mistake</h2>
<pre id="mistake-text">${mistake}</pre>
<p>Until it is fixed, the last version that works is served. This message then goes away by itself.</p>
</section>`
}

function addressPanel({ origin, basePath }: PageFacts): Html {
  const settings = `{ baseURL: "${origin}"${basePath === "" ? "" : `, basePath: "${basePath}"`} }`
  return html`<section class="panel wide" aria-labelledby="address">
<h2 id="address">Your API is running</h2>
<p class="address">${origin}${basePath}</p>
<div class="code"><button type="button" data-copy="client">Copy</button><pre id="client">import { createClient } from "kit/client"
import type { AppConfig } from "./generated"

const client = createClient&lt;AppConfig&gt;(${settings})</pre></div>
</section>`
}

const BADGES: Readonly<Record<Audience, { readonly text: string; readonly look: string }>> = {
  anyone: { text: "open to anyone", look: "good" },
  you: { text: "open to you", look: "good" },
  someRecords: { text: "some records", look: "some" },
  signIn: { text: "needs sign-in", look: "" },
  others: { text: "not for you", look: "" },
  nobody: { text: "closed", look: "" },
}

function badge(audience: Audience): Html {
  const { text, look } = BADGES[audience]
  return html`<span class="badge ${look}">${text}</span>`
}

function resourcesPanel({ resources }: PageFacts, kind: ResourceFacts["kind"], title: string): Html | undefined {
  const rows = resources.filter((resource) => resource.kind === kind).map(resourceRow)
  return listPanel(title, rows)
}

function resourceRow({ name, fieldCount, audience, href }: ResourceFacts): Html {
  const fields = fieldCount === 1 ? "1 field" : `${fieldCount} fields`
  return html`<li>${nameOf(name, href)}<span class="note">${fields}</span>${badge(audience)}</li>`
}

function routesPanel({ routes, basePath }: PageFacts): Html | undefined {
  const row = ({ method, path, audience, href }: RouteFacts) =>
    html`<li><span class="method">${method}</span>${nameOf(`${basePath}${path}`, href)}${badge(audience)}</li>`
  return listPanel("Routes", routes.map(row))
}

function namesPanel(title: string, facts: readonly NamedFact[]): Html | undefined {
  const row = ({ name, note }: NamedFact) => html`<li>${nameOf(name, undefined)}<span class="note">${note}</span></li>`
  return listPanel(title, facts.map(row))
}

function listPanel(title: string, rows: readonly Html[]): Html | undefined {
  if (rows.length === 0) return undefined
  return html`<section class="panel"><h2>${title} <span class="count">${rows.length}</span></h2><ul class="rows">${rows}</ul></section>`
}

function nameOf(name: string, href: string | undefined): Html {
  return href === undefined ? html`<span class="name">${name}</span>` : html`<a class="name" href="${href}">${name}</a>`
}

function signInPanel({ signIns, user }: PageFacts): Html | undefined {
  if (signIns === undefined) return undefined
  const people = signIns.map(
    ({ email, password }) =>
      html`<button type="button" data-email="${email}" data-password="${password}" aria-pressed="${String(email === user?.label)}">${email}<span class="note">password: ${password}</span></button>`,
  )
  const none = html`<p class="note">List the users of your seed in kit.config.ts to sign in here:<br><code>dev: { signIns: [{ email, password }] }</code></p>`
  return html`<section class="panel people-panel"><h2>Sign in as</h2>
${people.length === 0 ? none : html`<div class="people">${people}</div>`}
<noscript><p class="note">The buttons of this page need JavaScript.</p></noscript>
</section>`
}

function toolsPanel({ basePath, console, isMailKept, hasOpenApi }: PageFacts): Html {
  const openApi = html`<li><a href="${basePath}/_kit/openapi.json">OpenAPI</a> <span class="note">as you may use it</span></li>`
  return html`<section class="panel"><h2>Tools</h2><ul class="links">
${console && html`<li><a href="${console.href}">Console</a> <span class="note">${console.isSetUp ? "make the first account" : "for editors and developers"}</span></li>`}
<li><a href="${basePath}/_kit/mail">Mail</a> <span class="note">${isMailKept ? "kept here, not sent" : "sent, not kept"}</span></li>
${hasOpenApi ? openApi : undefined}
<li><a href="${basePath}/_kit/health">Health</a></li>
<li><a href="${basePath}/_kit/ready">Readiness</a></li>
</ul></section>`
}

function guidePanel({ guide }: PageFacts): Html | undefined {
  if (guide.length === 0) return undefined
  const links = guide.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li>`)
  return html`<section class="panel"><h2>Documentation</h2><ul class="guide">${links}</ul></section>`
}
