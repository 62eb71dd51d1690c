import { checkDatabase } from "../../app/doctor/database-checks.ts"
import type { Finding } from "../../app/doctor/finding.ts"
import {
  checkDev,
  checkMail,
  checkOpenApi,
  checkSecret,
  checkUrl,
  checkWorker,
} from "../../app/doctor/setting-checks.ts"
import { checkSpace } from "../../app/doctor/space-checks.ts"
import {
  checkCopies,
  checkFiles,
  checkLinks,
  checkOpen,
  checkRules,
  checkSearched,
  checkTypes,
} from "../doctor/app-checks.ts"
import { checkBuild, checkNode, checkPort } from "../doctor/environment-checks.ts"
import { type ExaminedApp, examineApp } from "../doctor/examined-app.ts"
import { type CommandArguments, CommandFailure } from "../terminal/arguments.ts"
import { showLine } from "../terminal/show.ts"
import { printJson } from "../terminal/standard-output.ts"

type Check = (examined: ExaminedApp) => readonly Finding[] | Promise<readonly Finding[]>

const CHECKS: Readonly<Record<string, Check>> = {
  node: checkNode,
  app: checkFiles,
  kit: checkCopies,
  types: checkTypes,
  database: checkDatabase,
  space: checkSpace,
  rules: checkRules,
  links: checkLinks,
  open: checkOpen,
  search: checkSearched,
  secret: checkSecret,
  url: checkUrl,
  mail: checkMail,
  dev: checkDev,
  openapi: checkOpenApi,
  worker: checkWorker,
  build: checkBuild,
  port: checkPort,
}

interface NamedFinding extends Finding {
  readonly check: string
}

/** Looks for mistakes and incomplete settings, and says how to fix them. */
export async function doctor({ values }: CommandArguments): Promise<void> {
  const examined = await examineApp(process.cwd(), { isProduction: values["production"] === true })
  const findings = await runChecks(examined)
  const failures = findings.filter(({ status }) => status === "fail").length
  if (values["json"]) printJson({ isHealthy: failures === 0, findings })
  else for (const line of findings.flatMap(linesOf)) showLine(line)
  if (failures > 0) throw new CommandFailure(failures === 1 ? "1 check failed." : `${failures} checks failed.`)
}

// Runs the checks one after the other, so that their findings are printed in the order of the checks.
async function runChecks(examined: ExaminedApp): Promise<readonly NamedFinding[]> {
  const found: NamedFinding[] = []
  for (const [check, run] of Object.entries(CHECKS)) {
    const findings = await run(examined)
    found.push(...findings.map((finding) => ({ check, ...finding })))
  }
  return found
}

const CHECK_WIDTH = Math.max(...Object.keys(CHECKS).map((name) => name.length))
const STATUS_WIDTH = "fail".length

function linesOf({ check, status, message, fix }: NamedFinding): readonly string[] {
  const indent = " ".repeat(STATUS_WIDTH + CHECK_WIDTH + 4)
  const first = `${status.padEnd(STATUS_WIDTH)}  ${check.padEnd(CHECK_WIDTH)}  ${message}`
  return fix === undefined ? [first] : [first, `${indent}${fix}`]
}
