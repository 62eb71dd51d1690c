import { expect, test } from "vitest"
import { readableLogger } from "../../src/cli/terminal/readable-log.ts"

function logged(log: (logger: ReturnType<typeof readableLogger>) => void): string {
  let text = ""
  log(
    readableLogger("info", (line) => {
      text += line
    }),
  )
  return text
}

test("a line says what happened, then its fields", () => {
  const text = logged(({ info, warn }) => {
    info("Published.", { article: "a-1", words: 120, tags: ["x"] })
    warn("Hm.")
  })

  expect(text).toBe('  info  Published.  article=a-1  words=120  tags=["x"]\n  warn  Hm.\n')
})

test("a request is one short line", () => {
  const request = { method: "GET", path: "/posts/:id", status: 200, durationMs: 3.2, requestId: "r-1", userId: "u-1" }

  const text = logged(({ info }) => {
    info("Request completed.", request)
    info("Request aborted: the client disconnected before it had the whole response.", request)
    info("Request completed.", { method: "PUT", status: 405, durationMs: 1, requestId: "r-2" })
  })

  expect(text.split("\n")).toEqual([
    "  info  GET /posts/:id 200 in 3.2 ms",
    "  info  GET /posts/:id 200 in 3.2 ms, aborted by the client",
    "  info  PUT 405 in 1 ms",
    "",
  ])
})

test("an error stands on lines of its own, with the author's part of the stack and what caused it", () => {
  const error = new Error("No such team.", { cause: new TypeError("x is undefined") })
  error.stack = [
    "Error: No such team.",
    "    at find (/app/src/routes/invite.ts:4:9)",
    "    at callHandler (file:///app/node_modules/kit/dist/bundle/chunk.js:1:1)",
    "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
  ].join("\n")
  Object.assign(error, { code: "E1" })
  Object.assign(error.cause as Error, { stack: "TypeError: x is undefined" })

  const text = logged((logger) => logger.error("A request failed.", { requestId: "r-1", error }))

  expect(text.split("\n")).toEqual([
    "  error A request failed.  requestId=r-1",
    "        Error: No such team.",
    "            at find (/app/src/routes/invite.ts:4:9)",
    '        {"code":"E1"}',
    "        because of TypeError: x is undefined",
    "",
  ])
})

test("an error of kit alone keeps its whole stack; what is no error is shown as it is", () => {
  const error = new Error("Odd.")
  error.stack = "Error: Odd.\n    at x (file:///app/node_modules/kit/dist/bundle/chunk.js:1:1)"

  const text = logged((logger) => {
    logger.error("Failed.", { error })
    logger.error("Failed.", { error: "just text" })
  })

  expect(text).toContain("at x (file:///app/node_modules/kit/dist")
  expect(text).toContain("\n        just text\n")
})

test("what somebody else has written cannot steer the terminal, and secrets stay out", () => {
  const text = logged(({ info }) => info("Hello \u001b[31m\nforged line", { name: "a\nb", password: "p" }))

  expect(text).toBe("  info  Hello \\u001b[31m\\u000aforged line  name=a\\u000ab  password=[redacted]\n")
})
