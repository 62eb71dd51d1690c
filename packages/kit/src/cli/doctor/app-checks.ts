import { type Finding, fail, ok, warn } from "../../app/doctor/finding.ts"
import { ruledLinks } from "../../app/doctor/ruled-links.ts"
import { findOutdated } from "../commands/generate.ts"
import { otherKits } from "../project/other-kits.ts"
import { discover } from "../sources/discover.ts"
import { openPaths } from "../terminal/open-paths.ts"
import { missingRulesOf } from "../terminal/summary.ts"
import type { ExaminedApp } from "./examined-app.ts"

export function checkFiles({ compiled, mistakes }: ExaminedApp): readonly Finding[] {
  if (compiled === undefined) return mistakes
  const { schema, routes } = compiled
  return [ok(`${schema.resources.length} collections and globals, ${routes.length} routes`)]
}

export async function checkCopies({ root }: ExaminedApp): Promise<readonly Finding[]> {
  const mistakes = otherKits(root, await discover(root))
  if (mistakes.length === 0) return [ok("every file imports the running copy of kit")]
  return mistakes.map(({ file, message }) =>
    fail(`${file}: ${message}`, "npm ls kit shows which package depends on which copy."),
  )
}

export async function checkTypes({ loaded }: ExaminedApp): Promise<readonly Finding[]> {
  if (loaded === undefined) return []
  const outdated = await findOutdated(loaded)
  return outdated.length === 0
    ? [ok("src/generated is up to date")]
    : [warn(`${outdated.join(", ")}: out of date`, "Run kit generate.")]
}

export function checkRules({ compiled, loaded }: ExaminedApp): readonly Finding[] {
  if (compiled === undefined) return []
  const missing = compiled.schema.resources.flatMap((resource) => {
    const [what = "", fix = ""] = missingRulesOf(resource)?.split(" Write ") ?? []
    const file = loaded?.resources.find(({ definition }) => definition.name === resource.name)?.file
    return what === "" ? [] : [warn(what, `Write ${fix.replace(/\.$/, "")} in ${file ?? "its file"}.`)]
  })
  return missing.length === 0 ? [ok("every collection and global has its rules")] : missing
}

/** Names the links that take part in a rule, because they are changed by fewer people than other links. */
export async function checkLinks({ compiled }: ExaminedApp): Promise<readonly Finding[]> {
  if (compiled === undefined) return []
  return (await ruledLinks(compiled.schema)).map(({ ruled, field, other, otherField }) =>
    ok(
      `rules of "${ruled}" follow its links "${field}": whoever changes "${otherField}" of "${other}" needs the right to update the linked record of "${ruled}"`,
    ),
  )
}

export async function checkOpen({ compiled }: ExaminedApp): Promise<readonly Finding[]> {
  if (compiled === undefined) return []
  const { schema, routes } = compiled
  const unsaid = routes.filter(({ definition }) => definition.access === undefined)
  const open = await openPaths({ schema, routes })
  return [
    ok(`open to anyone: ${open.join(", ") || "nothing"}`),
    ...unsaid.map(({ title, file }) =>
      warn(
        `${title} has no rule, so anyone may call it`,
        `Write .access(({ session }) => session !== null) in ${file}, or .access(true) if that is intended.`,
      ),
    ),
  ]
}
