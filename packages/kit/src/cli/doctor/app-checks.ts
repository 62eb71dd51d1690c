import { type Finding, fail, ok, warn } from "../../app/doctor/finding.ts"
import { ruledLinks } from "../../app/doctor/ruled-links.ts"
import type { Resource } from "../../schema/compile/resource.ts"
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
    return what === "" ? [] : [warn(what, `Write ${fix.replace(/\.$/, "")} in ${fileOf(loaded, resource)}.`)]
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

/** Names the hidden fields that can be found out by searches. A field with a read rule is searched only for those whom it allows. */
export function checkSearched({ compiled, loaded }: ExaminedApp): readonly Finding[] {
  const collections = [...(compiled?.schema.collections.values() ?? [])]
  return collections.flatMap((resource) => {
    const fields = (resource.search?.fields ?? []).map(({ field }) => field)
    const told = fields.filter(({ hidden, access }) => hidden && (access.read ?? true) === true)
    return told.map(({ name }) =>
      warn(
        `the hidden field "${name}" of "${resource.name}" is searched: whoever may read a record can find out its value, letter by letter, by the beginnings that find the record`,
        `Leave "${name}" out of .searchable({ fields }) in ${fileOf(loaded, resource)}, or give it a read rule, unless everyone who may read the record may know it.`,
      ),
    )
  })
}

function fileOf(loaded: ExaminedApp["loaded"], { name }: Resource): string {
  return loaded?.resources.find(({ definition }) => definition.name === name)?.file ?? "its file"
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
