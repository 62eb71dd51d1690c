// @module-tag not-about-engine

import { readFile } from "node:fs/promises"
import { describe, expect, test } from "vitest"
import { COMMANDS, GROUPS } from "../../packages/kit/src/cli/command-table.ts"
import { listPages, readSnippets } from "./snippets.ts"

const TEMPLATE_PAGE = "packages/kit/templates/every-app/README.md"
const TEMPLATE_MANIFEST = "packages/kit/templates/every-app/package.json"
// The templates with web pages.
const PAGES_MANIFESTS = ["examples/todo/package.json", "examples/newsroom/package.json"]
const INLINE_CODE = /`([^`\n]+)`/g
const FENCED_CODE = /^```\w*\n(.*?)^```/gms
// A command starts a line, or follows another command, a quote or an environment variable.
const KIT_COMMAND = /(?:^|&& |\$\(|=\S+ |-- )kit ((?:[a-z][a-z-]*)(?: [a-z]+)?)([^\n&)#]*)/g
// Names that connections have in PostgreSQL's own views.
const CONNECTION_NAMES = ["probe"]
const NPM_SCRIPT = /npm (?:run )?(start|test|(?<=run )[\w:-]+)/g

const pages = [...(await listPages(".")), TEMPLATE_PAGE]
const snippets = await readSnippets(".")

interface Mention {
  readonly command: string
  readonly rest: string
}

describe("every command that a page mentions exists, with its options", () => {
  for (const page of pages)
    test(page, async () => {
      const mentions = kitCommands(await readFile(page, "utf8"))

      expect(mentions.flatMap(problemsOf)).toEqual([])
    })
})

test("every npm script that a page mentions exists", async () => {
  const own = await scriptsOf("package.json")
  const [ofPages = [], ...others] = await Promise.all(PAGES_MANIFESTS.map(scriptsOf))
  const ofEveryPages = ofPages.filter((script) => others.every((scripts) => scripts.includes(script)))
  const ofNewApps = [...(await scriptsOf(TEMPLATE_MANIFEST)), ...ofEveryPages]

  for (const page of pages) {
    const scripts = page === TEMPLATE_PAGE ? ofNewApps : [...own, ...ofNewApps]
    const mentioned = codeOf(await readFile(page, "utf8")).flatMap((code) => [...code.matchAll(NPM_SCRIPT)])
    const unknown = mentioned.filter(([, script = ""]) => !scripts.includes(script))
    expect(unknown.map(([text]) => `${page}: ${text}`)).toEqual([])
  }
})

describe("a synopsis shows every option of its command", () => {
  for (const { page, line, text } of snippets.filter(({ plan }) => plan.kind === "synopsis"))
    test(`${page}:${line}`, () => {
      for (const { command, rest } of kitCommands(`\`\`\`sh\n${text}\n\`\`\``)) {
        const options = Object.keys(COMMANDS[nameOf(command) ?? ""]?.options ?? {})
        expect(optionsIn(rest).sort(), command).toEqual(options.sort())
      }
    })
})

function kitCommands(page: string): readonly Mention[] {
  const matches = codeOf(page).flatMap((code) => code.split("\n").flatMap((line) => [...line.matchAll(KIT_COMMAND)]))
  const mentions = matches.map(([, command = "", rest = ""]) => ({ command, rest }))
  return mentions.filter(({ command }) => !CONNECTION_NAMES.includes(command))
}

function codeOf(page: string): readonly string[] {
  const fenced = [...page.matchAll(FENCED_CODE)].map(([, code = ""]) => code)
  const inline = [...page.replace(FENCED_CODE, "").matchAll(INLINE_CODE)].map(([, code = ""]) => code)
  return [...fenced, ...inline]
}

function problemsOf({ command, rest }: Mention): readonly string[] {
  const name = nameOf(command)
  if (name === undefined) return [`kit ${command} does not exist`]
  const known = Object.keys(COMMANDS[name]?.options ?? {})
  const unknown = optionsIn(rest).filter((option) => !known.includes(option))
  return unknown.map((option) => `kit ${name} has no option --${option}`)
}

// Returns the name of the command, or of a group of commands, with which the words begin.
function nameOf(words: string): string | undefined {
  const [first = ""] = words.split(" ")
  const names = [words, first].filter((name) => Object.hasOwn(COMMANDS, name))
  return names[0] ?? (Object.hasOwn(GROUPS, first) || first === "help" ? first : undefined)
}

function optionsIn(text: string): string[] {
  return [...text.matchAll(/--([a-z][a-z-]*)/g)].map(([, option = ""]) => option)
}

async function scriptsOf(manifest: string): Promise<readonly string[]> {
  return Object.keys(JSON.parse(await readFile(manifest, "utf8")).scripts)
}
