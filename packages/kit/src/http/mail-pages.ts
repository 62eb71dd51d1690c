import type { StoredMail, StoredMailSummary } from "../ports/mail-transport.ts"
import { escapeHtml } from "../wire/codecs/escape-html.ts"

/** Returns the HTML page that lists the kept mails. `base` is the URL path of this page. */
export function mailListPage(mails: readonly StoredMailSummary[], base: string): string {
  const rows = mails.map(({ id, to, subject, createdAt }) => {
    const link = `<a href="${escapeHtml(`${base}/${id}`)}">${escapeHtml(subject)}</a>`
    return `<tr><td>${link}</td><td>${escapeHtml(to.join(", "))}</td><td>${timeTag(createdAt)}</td></tr>`
  })
  const table = `<table><thead><tr><th>Subject</th><th>To</th><th>Time</th></tr></thead><tbody>${rows.join("")}</tbody></table>`
  const content = mails.length === 0 ? "<p>No mail has been kept yet.</p>" : table
  return page("Mail", `<h1>Mail</h1><p class="note">${NOTE}</p>${content}`)
}

const NOTE =
  "Mail of this app, newest first. It is kept here and not delivered. To deliver it, set email.smtp or email.transport."

/** Returns the HTML page for one mail, with the mail's HTML in a sandboxed frame and its plain text. */
export function mailPage(mail: StoredMail, base: string): string {
  const facts: readonly (readonly [string, string])[] = [
    ["From", escapeHtml(mail.from)],
    ["To", escapeHtml(mail.to.join(", "))],
    ...(mail.replyTo === undefined ? [] : [["Reply to", escapeHtml(mail.replyTo)] as const]),
    ["Time", timeTag(mail.createdAt)],
  ]
  return page(
    mail.subject,
    `<p><a href="${escapeHtml(base)}">All mail</a></p>
<h1>${escapeHtml(mail.subject)}</h1>
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>
<h2>HTML</h2>
${frame(mail.html)}
<h2>Text</h2>
<pre>${escapeHtml(mail.text)}</pre>`,
  )
}

// Returns the frame that shows a mail. In it, scripts, forms and plug-ins are off. A link opens a new page, as in a
// mail program.
function frame(html: string): string {
  const document = `<base target="_blank">${html}`
  const sandbox = "allow-popups allow-popups-to-escape-sandbox"
  return `<iframe title="The mail as HTML" sandbox="${sandbox}" srcdoc="${escapeHtml(document)}"></iframe>`
}

function timeTag(time: Date): string {
  const text = time.toISOString()
  return `<time datetime="${text}">${text.slice(0, 19).replace("T", " ")} UTC</time>`
}

const STYLE = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1rem;margin:1.5rem 0 .5rem}.note,dt,td+td{opacity:.75}
table{width:100%;border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8884;overflow-wrap:anywhere}
td:last-child{white-space:nowrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}dd{margin:0;overflow-wrap:anywhere}
iframe{width:100%;height:28rem;border:1px solid #8888;border-radius:4px;background:#fff;color-scheme:light}
pre{border:1px solid #8888;border-radius:4px;padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere;margin:0}
@media(max-width:40rem){thead{display:none}tr,td{display:block}td{padding:0;border:0}tr{padding:.5rem 0;border-bottom:1px solid #8884}}`

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
${content}
</body>
</html>
`
}
