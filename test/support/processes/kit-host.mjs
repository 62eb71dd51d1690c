// Runs commands of the built package one after another. Each command is a line of JSON on standard input. Like
// `bin/kit.mjs`, it imports the command line, once for each command; what the command line imports stays loaded. When a
// command has ended, its mark and exit code are written to both outputs.
import { createInterface } from "node:readline"

const [, , commandLine] = process.argv
const streams = [process.stdout, process.stderr]
const writes = streams.map((stream) => stream.write)
const emitters = [process, ...streams]
const exit = process.exit.bind(process)
let commands = 0

/** @param {{ args: string[], cwd: string, env: Record<string, string>, mark: string }} command */
async function run({ args, cwd, env, mark }) {
  const restoreListeners = noteListeners()
  process.chdir(cwd)
  process.argv = [process.execPath, "kit", ...args]
  setVariables(env)
  const code = await new Promise((resolve, reject) => {
    process.exit = (exitCode = 0) => resolve(exitCode)
    commands += 1
    import(`${commandLine}?command=${commands}`).catch(reject)
  })
  restoreListeners()
  for (const [index, stream] of streams.entries()) {
    stream.write = writes[index]
    stream.write(`${mark} ${code}\n`)
  }
}

/** @param {Record<string, string>} wanted */
function setVariables(wanted) {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(wanted, name)) delete process.env[name]
  Object.assign(process.env, wanted)
}

// A command adds listeners for signals and closed pipes, which would otherwise be called for the next one, too.
function noteListeners() {
  const known = emitters.flatMap((emitter) => emitter.eventNames().flatMap((name) => emitter.rawListeners(name)))
  return () => {
    for (const emitter of emitters)
      for (const name of emitter.eventNames())
        for (const listener of emitter.rawListeners(name))
          if (!known.includes(listener)) emitter.removeListener(name, listener)
  }
}

for await (const line of createInterface({ input: process.stdin })) await run(JSON.parse(line))
// The test process has ended. A file of an app may have left a timer, which would keep this process alive.
exit()
