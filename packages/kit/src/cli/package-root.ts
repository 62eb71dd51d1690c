import { fileURLToPath } from "node:url"

/**
 * The folder of the running package. This file has to stay two folders below it: it is in `src/cli`, and built into
 * `dist/cli` and `dist/bundle`.
 */
export const PACKAGE_ROOT = fileURLToPath(new URL("../../", import.meta.url))
