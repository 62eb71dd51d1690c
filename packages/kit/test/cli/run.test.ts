import { readFile } from "node:fs/promises"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { COMMANDS, GROUPS } from "../../src/cli/command-table.ts"
import { runCommand } from "../../src/cli/run.ts"
import { readPort } from "../../src/cli/terminal/arguments.ts"

const ID = "01890000-0000-7000-8000-000000000000"

let printed = { stdout: "", stderr: "" }

beforeEach(() => {
  printed = { stdout: "", stderr: "" }
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text)
      return true
    })
  }
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe("a command that is called wrongly", () => {
  test.each([
    [["strat"], 'There is no command "strat". Did you mean "start"?'],
    [["helpp"], 'There is no command "helpp". Did you mean "help"?'],
    [["constructor"], 'There is no command "constructor".'],
    [["help", "jbos"], 'There is no command "jbos". Did you mean "jobs"?'],
    [["help", "jobs", "lst"], 'There is no "kit jobs lst". Did you mean "list"?'],
    [["start", "--prot", "1"], 'There is no option "--prot". Did you mean "--port"?'],
    [["start", "-p", "1"], 'There is no option "-p".'],
    [["dev", "--foo"], 'There is no option "--foo". Known: --port, --host.'],
    [["start", "--port", "many"], '--port: "many" is not a port.'],
    [["start", "--port"], "argument missing"],
    [["start", "--seed=yes"], "does not take an argument"],
    [["start", "now"], 'Unexpected argument: "now".'],
    [["new"], "Say where: kit new blog."],
    [["new", "a", "b"], "Give one folder, not 2."],
    [["new", "a", "--template", "minimall"], 'there is no template "minimall". Did you mean "minimal"?'],
    [["new", "My App"], '"My App" cannot be the name of an app. Use small letters, digits and -, such as my-app.'],
    [["new", "/"], "cannot be the name of an app"],
    [["new", "kit"], '"kit" is the name of something that the app itself needs.'],
    [["new", "zod", "--template", "newsroom"], '"zod" is the name of something that the app itself needs.'],
    [["migrate"], "Say what to do: kit migrate plan|create|up|status."],
    [["migrate", "--json"], "Say what to do: kit migrate plan|create|up|status."],
    [["migrate", "crate"], 'There is no "kit migrate crate". Did you mean "create"?'],
    [["seed", "--accept-data-loss"], 'There is no option "--accept-data-loss". It takes no options.'],
    [["migrate", "plan", "now"], 'Unexpected argument: "now"'],
    [["migrate", "create", "a b"], "Name the migration with letters"],
    [["migrate", "create", "a", "b"], "Name the migration with letters"],
    [["migrate", "create", "../up"], "Name the migration with letters"],
    [["jobs"], "Say what to do: kit jobs list|show|retry|cancel."],
    [["jobs", "lst"], 'There is no "kit jobs lst". Did you mean "list"?'],
    [["jobs", "list", "--state", "faild"], '--state: "faild" is not a state of a job. Did you mean "failed"?'],
    [["jobs", "list", "--state", "x"], "is not a state of a job. Known: scheduled, waiting, running, failed."],
    [["jobs", "list", "--limit", "0"], '--limit: "0" is not a number of jobs. Give a number from 1 to 1000.'],
    [["jobs", "list", "all"], 'Unexpected argument: "all".'],
    [["jobs", "list", "--sate", "failed"], 'There is no option "--sate". Did you mean "--state"?'],
    [["jobs", "show"], "Say which job: kit jobs show <id>. kit jobs list shows the ids."],
    [["jobs", "retry"], "Say which job: kit jobs retry <id>."],
    [["jobs", "cancel", ID, ID], "Give one id, not 2."],
    [["jobs", "cancel", ID, "--force"], 'There is no option "--force". It takes no options.'],
    [["user"], "Say what to do: kit user create|list."],
    [["user", "crate"], 'There is no "kit user crate". Did you mean "create"?'],
    [["user", "create", "--name", "Eva"], "Say --email"],
    [["user", "create", "--email", "e@x.yz", "--name", "E", "--role", "a", "--admin"], "Give --role or --admin"],
  ])("%j is explained in one sentence and ends with 2", async (args, message) => {
    const outcome = await runCommand(args)

    expect(outcome).toEqual({ code: 2, isServing: false })
    expect(printed.stdout).toBe("")
    expect(printed.stderr.split("\n")[0]).toContain(message)
  })

  test("it is shown how to call it", async () => {
    await runCommand(["jobs", "list", "--limit", "no"])

    expect(printed.stderr.split("\n")[1]).toBe(
      "Usage: kit jobs list [--state <state>] [--name <name>] [--limit <number>] [--json]",
    )
  })

  test("what it cannot do without is shown as such", async () => {
    await runCommand(["user", "create"])

    expect(printed.stderr).toContain("Usage: kit user create --email <address> --name <name> [--password <password>]")
  })
})

describe("help", () => {
  const names = [...Object.keys(COMMANDS), ...Object.keys(GROUPS)]

  test.each(names)("kit %s --help, -h and kit help say the same, and run nothing", async (name) => {
    const words = name.split(" ")
    const texts: string[] = []
    for (const args of [
      [...words, "--help"],
      [...words, "--nonsense", "-h"],
      ["help", ...words],
    ]) {
      printed.stdout = ""
      expect(await runCommand(args)).toEqual({ code: 0, isServing: false })
      texts.push(printed.stdout)
    }

    expect(texts[0]).toContain(`kit ${name}`)
    expect(new Set(texts).size).toBe(1)
    expect(printed.stderr).toBe("")
  })

  test("names every option with its purpose, and an example", async () => {
    await runCommand(["help", "user", "create"])

    const { options = {}, examples = [] } = COMMANDS["user create"] ?? {}
    for (const [name, { purpose }] of Object.entries(options)) {
      expect(printed.stdout).toMatch(new RegExp(`--${name}( <\\w+>)? +${purpose}`))
    }
    expect(printed.stdout).toContain(`Examples:\n  ${examples[0]}`)
  })

  test.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%j lists the commands", async (args) => {
    expect(await runCommand(args)).toMatchObject({ code: 0 })
    expect(printed.stdout).toContain("kit new <folder>")
    expect(printed.stdout).toContain("Exit codes:")
  })

  test("kit --version is the version of the package alone", async () => {
    const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"))

    expect(await runCommand(["--version"])).toMatchObject({ code: 0 })
    expect(printed.stdout).toBe(`${version}\n`)
  })
})

describe("PORT", () => {
  afterEach(() => vi.unstubAllEnvs())

  test("is named where it is wrong, and is none where it is empty", async () => {
    vi.stubEnv("PORT", "many")
    const { code } = await runCommand(["dev"])
    vi.stubEnv("PORT", "")

    expect(code).toBe(2)
    expect(printed.stderr).toMatch(/^PORT: "many" is not a port\./)
    expect(readPort(undefined)).toBe(3000)
  })
})
