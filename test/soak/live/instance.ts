// One instance of the experiment in live.ts. It prints its address and serves until it is killed.
import { testApp } from "kit/testing"
import { world } from "./world.ts"

const [, , url = ""] = process.argv
const app = await testApp({ ...world, config: { ...world.config, db: { url } } })
console.log(`started ${app.url}`)
