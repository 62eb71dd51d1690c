const TAG = /<[a-z][^>]*>/gi
const ATTRIBUTE = /\s(on\w+|style)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/gi

/**
 * Prepares pasted HTML for the parser of the editor. The policy of the page ignores handlers and styles, and reports
 * each; so handlers are taken out, and what a style says of letters is kept in `data-style`, where the schema reads it.
 */
export function preparePastedHtml(html: string): string {
  return html.replace(TAG, (tag) =>
    tag.replace(ATTRIBUTE, (_whole, name: string, value: string) =>
      name.toLowerCase() === "style" ? ` data-style=${value.replace(/\s/g, "")}` : "",
    ),
  )
}
