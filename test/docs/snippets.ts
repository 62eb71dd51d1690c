import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { readPage } from "./markdown.ts"

/** A fenced block of a page, with the comments above it that say how it is tested. */
export interface Snippet {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly text: string
  readonly plan: Plan
  /** The placeholders of the text, such as `<id>`, each with the shell command that prints its value. */
  readonly given: ReadonlyMap<string, string>
  /** The shell commands that prepare the folder of the app: `<!-- before: cp … -->`. */
  readonly before: readonly string[]
}

/** The app in which a snippet runs; `checkout` is the folder of the repository. */
export type Place = "newsroom" | "blog" | "checkout"

export type Plan =
  /** `<!-- starts newsroom -->`: the command serves an app until the end of the test. */
  | { readonly kind: "starts"; readonly place: Place }
  /** `<!-- run in newsroom -->`, or `<!-- run in newsroom until /pattern/ -->` if the command does not end by itself. */
  | { readonly kind: "run"; readonly place: Place; readonly until: RegExp | undefined }
  /** `<!-- sent to newsroom: POST /realtime -->`: the block is the body of this request. */
  | { readonly kind: "sent"; readonly method: string; readonly path: string }
  /** `<!-- synopsis -->`: the block shows every option of a command. */
  | { readonly kind: "synopsis" }
  /** `<!-- not run: reason -->` */
  | { readonly kind: "not run"; readonly reason: string }
  /** A block of TypeScript is compiled by `npm run check`. */
  | { readonly kind: "compiled" }
  | { readonly kind: "unmarked" }

const COMMENT = /^\s*<!-- (.*?) -->\s*$/
const GIVEN = /^given (<[^>]+>): (.+)$/
const BEFORE = /^before: (.+)$/
const STARTS = /^starts (newsroom|blog)$/
const RUN = /^run in (newsroom|blog|checkout)(?: until \/(.+)\/)?$/
const SENT = /^sent to newsroom: ([A-Z]+) (\S+)$/
const NOT_RUN = /^not run: (.+)$/

/** Returns the snippets of every page. */
export async function readSnippets(root: string): Promise<readonly Snippet[]> {
  const pages = await listPages(root)
  const texts = await Promise.all(pages.map((page) => readFile(join(root, page), "utf8")))
  return pages.flatMap((page, index) => snippetsOf(page, texts[index] ?? ""))
}

/** Returns the pages at the root and in docs, and that of the benchmarks. */
export async function listPages(root: string): Promise<readonly string[]> {
  const docs = (await readdir(join(root, "docs"))).map((file) => `docs/${file}`)
  const top = await readdir(root)
  const pages = [...top, ...docs].filter((path) => path.endsWith(".md"))
  return [...pages, "bench/README.md"]
}

function snippetsOf(page: string, text: string): readonly Snippet[] {
  const lines = text.split("\n")
  return readPage(text).fences.map((fence) => {
    const comments = commentsAbove(lines, fence.line - 1)
    const language = fence.info
    return {
      page,
      line: fence.line,
      language,
      text: fence.lines.join("\n"),
      plan: comments.map(planOf).find((plan) => plan !== undefined) ?? usualPlan(language),
      given: new Map(comments.flatMap((comment) => givenBy(comment))),
      before: comments.flatMap((comment) => BEFORE.exec(comment)?.slice(1) ?? []),
    }
  })
}

function commentsAbove(lines: readonly string[], fenceIndex: number): readonly string[] {
  const comments: string[] = []
  for (let index = fenceIndex - 1; index >= 0; index -= 1) {
    const comment = COMMENT.exec(lines[index] ?? "")?.[1]
    if (comment !== undefined) comments.unshift(comment)
    else if (lines[index]?.trim() !== "") break
  }
  return comments
}

function planOf(comment: string): Plan | undefined {
  const starts = STARTS.exec(comment)
  if (starts) return { kind: "starts", place: starts[1] as Place }
  const run = RUN.exec(comment)
  if (run) return { kind: "run", place: run[1] as Place, until: run[2] === undefined ? undefined : new RegExp(run[2]) }
  const sent = SENT.exec(comment)
  if (sent) return { kind: "sent", method: sent[1] ?? "", path: sent[2] ?? "" }
  const reason = NOT_RUN.exec(comment)?.[1]
  if (reason !== undefined) return { kind: "not run", reason }
  return comment === "synopsis" ? { kind: "synopsis" } : undefined
}

// A block of plain text shows output or a file; there is nothing to run.
function usualPlan(language: string): Plan {
  return ["ts", "tsx", "text"].includes(language) ? { kind: "compiled" } : { kind: "unmarked" }
}

function givenBy(comment: string): readonly (readonly [string, string])[] {
  const [, placeholder, command] = GIVEN.exec(comment) ?? []
  return placeholder === undefined || command === undefined ? [] : [[placeholder, command]]
}
