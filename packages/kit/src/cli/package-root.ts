import { fileURLToPath } from "node:url"

/**
 * The folder of the running kit package. This file has to stay two folders below that folder: the source is in
 * `src/cli`, and the built file is in `dist/cli` and `dist/bundle`.
 */
export const PACKAGE_ROOT = fileURLToPath(new URL("../../", import.meta.url))
