/** Returns a call as the bytes of an HTTP/1.1 request. @param {import("./rows.mjs").Call} call */
export function requestBytes({ method, path, headers = {}, body }) {
  const text = body === undefined ? "" : JSON.stringify(body)
  const sized =
    body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }
  const lines = Object.entries({ host: "127.0.0.1", ...headers, ...sized }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`)
}
