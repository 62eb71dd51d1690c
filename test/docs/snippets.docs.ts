import { describe, expect, inject, test } from "vitest"
import { Checkout } from "./checkout.ts"
import { type Place, readSnippets, type Snippet } from "./snippets.ts"

const snippets = await readSnippets(".")
const checkout = new Checkout(inject("checkout"))

describe("commands", () => {
  for (const snippet of snippets.filter(({ plan }) => plan.kind === "run"))
    test(titleOf(snippet), async () => {
      const { plan } = snippet
      if (plan.kind !== "run") return
      const script = [...snippet.before, await withValues(snippet, plan.place)].join("\n")
      await checkout.run(plan.place, script, plan.until)
    })
})

describe("requests", () => {
  for (const snippet of snippets.filter(({ plan }) => plan.kind === "sent"))
    test(titleOf(snippet), async () => {
      const { plan, text } = snippet
      if (plan.kind !== "sent") return
      const response = await fetch(`http://${checkout.addressOf("newsroom")}/api${plan.path}`, {
        method: plan.method,
        headers: { "content-type": "application/json" },
        body: text,
      })
      await response.body?.cancel()

      expect(response.status).toBe(200)
    })
})

// Replaces the placeholders of a command, such as `<id>`, by the values that the page's hidden commands print.
async function withValues({ text, given }: Snippet, place: Place): Promise<string> {
  let command = text
  for (const [placeholder, script] of given) {
    const value = (await checkout.run(place, script)).trim()
    expect(value, `the value of ${placeholder}`).not.toBe("")
    command = command.replaceAll(placeholder, value)
  }
  return command
}

function titleOf({ page, line, text }: Pick<Snippet, "page" | "line" | "text">): string {
  return `${page}:${line} ${text.split("\n")[0]}`
}
