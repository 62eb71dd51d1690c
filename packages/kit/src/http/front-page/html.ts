import { escapeHtml } from "../../wire/codecs/escape-html.ts"

/** A piece of markup. Strings are escaped when they become part of one. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Content = string | number | Html | undefined | readonly Content[]

/** Builds markup from a template. Values are escaped unless they are markup; undefined and empty lists add nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const texts = parts.map((part, index) => part + textOf(values[index]))
  return new Html(texts.join(""))
}

/** Returns text of our own as markup, as it is. */
export function raw(text: string): Html {
  return new Html(text)
}

function textOf(content: Content): string {
  if (content === undefined) return ""
  if (content instanceof Html) return content.text
  return Array.isArray(content) ? content.map(textOf).join("") : escapeHtml(String(content))
}
