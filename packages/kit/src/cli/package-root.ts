import { fileURLToPath } from "node:url"

/**
 * The folder of the running package. This file stays directly in its floor: in the sources, in `dist/cli` and in
 * `dist/bundle` the package is two folders up.
 */
export const PACKAGE_ROOT = fileURLToPath(new URL("../../", import.meta.url))
