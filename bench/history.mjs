import { readFile, writeFile } from "node:fs/promises"
import { readKept } from "./cost/kept-costs.mjs"
import { addLine, historyLine } from "./harness/history-line.mjs"

// node bench/history.mjs    adds the last complete run, and the committed costs, to the history
const PAGE = new URL("./results/history.md", import.meta.url)
const RESULTS = new URL("./results/latest.json", import.meta.url)

const kept = await readKept()
const line = historyLine(JSON.parse(await readFile(RESULTS, "utf8")), kept?.operations ?? {})
await writeFile(PAGE, addLine(await readFile(PAGE, "utf8"), line))
console.log(line)
