import type { TestProject } from "vitest/node"
import { Checkout } from "./checkout.ts"
import { readSnippets } from "./snippets.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The fresh copy of the repository, in which both apps of the pages are served. */
    checkout: Pick<Checkout, "root" | "ports">
  }
}

/** Makes a fresh copy of the repository, and starts its apps by the commands with which the README starts them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const checkout = await Checkout.make()
  for (const { plan, text } of await readSnippets(checkout.root))
    if (plan.kind === "starts") await checkout.serve(plan.place, text).catch(rethrowWithMessage)
  project.provide("checkout", { root: checkout.root, ports: checkout.ports })
  return () => checkout[Symbol.asyncDispose]()
}

// The output of a command that failed is in the message. Vitest fails to print the error if its modules come from a cache.
function rethrowWithMessage(error: unknown): never {
  process.stderr.write(`${error}\n`)
  throw error
}
