// Notes the parent process first, because npm may end while the rest is loaded.
import "./cli/terminal/starter.ts"
// Imports kit before the author's files, because those files are loaded through a second module loader, which slows
// down every later import.
import "./index.ts"
// Before the app is loaded, which comes with garbage collections.
import "./cli/kept-tick.ts"
import { runCommand } from "./cli/run.ts"
import { exitOnClosedPipe, flushOutput } from "./cli/terminal/standard-output.ts"

exitOnClosedPipe()
const { code, isServing } = await runCommand(process.argv.slice(2))
if (!isServing) {
  await flushOutput()
  // Exits explicitly, because handles that an author's file has left open would keep the process alive.
  process.exit(code)
}
