import { chooseBinaries } from "../../app/config/defaults.ts"
import { bundledLibraries } from "../../drivers/embedded-postgres/files/bundled-libraries.ts"
import type { ExaminedApp } from "./examined-app.ts"
import { type Finding, ok, warn } from "./finding.ts"

/** Reports the programs that run the embedded database, and the libraries bundled with them. */
export function checkBinaries({ config, root, isProduction }: ExaminedApp): Finding {
  const folder = chooseBinaries({ config, root })
  if (folder !== undefined) return ok(`the embedded one is run by the programs in ${folder}`)
  const libraries = bundledLibraries().map(({ name, version }) => `${name} ${version}`)
  const message = `the programs of the embedded one contain ${libraries.join(", ")}, which cannot be reached from the network`
  if (!isProduction) return ok(message)
  return warn(message, "Set DATABASE_URL, or db.embedded.binaries to an installation that gets security updates.")
}
