import { register } from "node:module"
import { pathToFileURL } from "node:url"

// Loaded before `preload.mjs` where stacks are read: the framework then comes from the bundle with source maps.
const [built, mapped] = [process.env["COST_BUILT"], process.env["COST_MAPPED"]].map((path) => pathToFileURL(path).href)
register("./mapped-modules.mjs", import.meta.url, { data: { built, mapped } })
