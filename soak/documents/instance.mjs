// One instance of the experiment in soak/documents.mjs. It prints its address and serves until it is killed.
//   node soak/documents/instance.mjs <database url>
import { testApp } from "kit/testing"
import { world } from "./world.mjs"

const [, , url = ""] = process.argv
const app = await testApp({ ...world, config: { ...world.config, db: { url } } })
console.log(`started ${app.url}`)
