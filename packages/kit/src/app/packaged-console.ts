import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ConsoleFiles } from "../http/console/served-console.ts"

// This file has to stay two folders below the folder of the package: the source is in `src/app`, and the built file is
// in `dist/app` and `dist/bundle`. In both cases the build of the console is used.
const FOLDER = fileURLToPath(new URL("../../dist/console/", import.meta.url))

/** The console that comes with the package. */
export const packagedConsole: ConsoleFiles = {
  read: async (name) => {
    try {
      return new Uint8Array(await readFile(join(FOLDER, name)))
    } catch (cause) {
      throw new Error(`The package has no console at ${FOLDER}: run npm run build in the repository of kit.`, { cause })
    }
  },
}
