import { parentPort } from "node:worker_threads"
import { runCall } from "../run-call.ts"
import type { CodecCall, ThreadMessage } from "./thread-message.ts"

// The program of the codec's threads. It answers each call before it receives the next one.
const port = parentPort
if (port === null) throw new Error("This program runs only as a thread.")

port.on("message", (call: CodecCall) => port.postMessage(answer(call)))
port.postMessage({ kind: "ready" } satisfies ThreadMessage)

function answer(call: CodecCall): ThreadMessage {
  try {
    return { kind: "result", result: runCall(call) }
  } catch (error) {
    return { kind: "failure", message: error instanceof Error ? error.message : String(error) }
  }
}
