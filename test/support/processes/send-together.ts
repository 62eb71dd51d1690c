import { connect } from "node:net"

export interface TogetherRequest {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

interface TogetherAnswer {
  readonly status: number
  readonly body: any
}

const CONTENT_LENGTH = /\r\ncontent-length: (\d+)\r\n/i

/**
 * Sends GET requests in one write on one connection, so that the server receives all of them in the same turn of its
 * event loop. Returns their answers in the same order.
 */
export function sendTogether(url: string, requests: readonly TogetherRequest[]): Promise<TogetherAnswer[]> {
  const { host, hostname, port } = new URL(url)
  const heads = requests.map(({ path, headers = {} }, index) => {
    const isLast = index === requests.length - 1
    const all = { host, ...(isLast && { connection: "close" }), ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
    return [`GET ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n")
  })
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", reject)
    socket.on("close", () => resolve(readAnswers(Buffer.concat(chunks))))
    socket.write(heads.join(""))
  })
}

function readAnswers(bytes: Buffer): TogetherAnswer[] {
  const answers: TogetherAnswer[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n")
    const head = rest.subarray(0, end + 2).toString("latin1")
    const bodyAt = end + 4
    const next = bodyAt + Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0)
    answers.push({ status: Number(head.split(" ")[1]), body: JSON.parse(rest.toString("utf8", bodyAt, next)) })
    rest = rest.subarray(next)
  }
  return answers
}
