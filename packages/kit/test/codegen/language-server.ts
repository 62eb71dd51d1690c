import { spawn } from "node:child_process"
import { once } from "node:events"
import { pathToFileURL } from "node:url"
import { compiler } from "./app-folder.ts"

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
}

/** The compiler as an editor talks to it, in the folder of an app; it ends when it goes out of scope. */
export async function languageServer(folder: string) {
  const server = spawn(process.execPath, [compiler, "--lsp", "--stdio"], { cwd: folder })
  const answers = new Map<number, (result: unknown) => void>()
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  readMessages(server.stdout, ({ id, method, result }) => {
    if (id === undefined) return
    // It asks for settings, of which there are none.
    if (method === undefined) answers.get(id)?.(result)
    else send({ id, result: null })
  })
  const ask = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      const id = answers.size + 1
      answers.set(id, resolve)
      send({ id, method, params })
    })
  await ask("initialize", { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {} })
  send({ method: "initialized", params: {} })
  return {
    /** The names that are offered in a new file, at the place of `|` in its text. */
    async offered(path: string, marked: string): Promise<string[]> {
      const uri = pathToFileURL(path).href
      const [before = ""] = marked.split("|")
      const text = marked.replace("|", "")
      send({
        method: "textDocument/didOpen",
        params: { textDocument: { uri, languageId: "typescript", version: 1, text } },
      })
      const lines = before.split("\n")
      const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
      // As the protocol has it.
      const found = (await ask("textDocument/completion", { textDocument: { uri }, position })) as Completions
      return found.items.map(({ label }) => label.replace(/\?$/, ""))
    },
    async [Symbol.asyncDispose]() {
      const exit = once(server, "exit")
      server.kill()
      await exit
    },
  }
}

interface Completions {
  readonly items: readonly { readonly label: string }[]
}

/** Each message is a header with the length of its text, and the text. */
function readMessages(stream: NodeJS.ReadableStream, onMessage: (message: Message) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  stream.on("data", (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    for (let found = nextMessage(rest); found !== undefined; found = nextMessage(rest)) {
      rest = found.rest
      onMessage(found.message)
    }
  })
}

function nextMessage(data: Buffer) {
  const end = data.indexOf("\r\n\r\n")
  const length = Number(/content-length: (\d+)/i.exec(data.subarray(0, Math.max(end, 0)).toString())?.[1])
  const start = end + 4
  if (end < 0 || data.length < start + length) return undefined
  // The protocol holds on both sides.
  const message = JSON.parse(data.subarray(start, start + length).toString()) as Message
  return { message, rest: data.subarray(start + length) }
}
