// The process of the experiment in silence.ts. It prints its address and serves until it is killed.
import { collection } from "kit"
import { testApp } from "kit/testing"

const [, , url = ""] = process.argv
const anyone = { read: true, create: true, update: true }
const notes = collection("notes")
  .fields(({ f }) => ({ key: f.text().required() }))
  .access(anyone)
const counters = collection("counters")
  .fields(({ f }) => ({ text: f.text() }))
  .options({ id: "client" })
  .access(anyone)
const app = await testApp({ collections: [notes, counters], config: { db: { url }, limits: { rate: false } } })
console.log(`started ${app.url}`)
