import { runCommand } from "./cli/run.ts"

const code = await runCommand(process.argv.slice(2))
if (code !== 0) process.exitCode = code
