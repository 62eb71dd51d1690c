import { Agent, request } from "node:http"

const agent = new Agent({ keepAlive: true })

/**
 * @param {{ port: number, path: string, cookie: string, type: string, body: string | Uint8Array }} call
 * @returns {Promise<any>} the answer, if it is a success
 */
export function post({ port, path, cookie, type, body }) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": type, cookie, "content-length": Buffer.byteLength(body) }
    const sent = request({ agent, port, host: "127.0.0.1", method: "POST", path, headers }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk
      })
      response.on("end", () => {
        const isSuccess = Math.floor(Number(response.statusCode) / 100) === 2
        if (isSuccess) resolve(JSON.parse(text))
        else reject(new Error(`${path} answered ${response.statusCode}: ${text}`))
      })
    })
    sent.on("error", reject).end(body)
  })
}
