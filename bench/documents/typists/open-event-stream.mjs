import { request } from "node:http"

/**
 * The members of the events that typists read.
 *
 * @typedef {{ epoch: string, update: string, data: { client: number, clock: number } }} EventData
 */

/**
 * Opens a stream of the realtime endpoint. Each event is passed on as it arrives.
 *
 * @param {{ port: number, cookie: string, body: object, onEvent: (name: string, data: EventData) => void }} options
 * @returns {() => void} closes it
 */
export function openEventStream({ port, cookie, body, onEvent }) {
  const headers = { "content-type": "application/json", cookie }
  let isClosed = false
  const sent = request(
    { port, host: "127.0.0.1", method: "POST", path: "/realtime", headers, agent: false },
    (response) => {
      if (response.statusCode !== 200) throw new Error(`The stream was refused: ${response.statusCode}.`)
      let text = ""
      response.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => {
        const blocks = (text + chunk).split("\n\n")
        text = blocks.pop() ?? ""
        for (const block of blocks) passOn(block, onEvent)
      })
      response.on("error", (error) => {
        if (!isClosed) throw error
      })
    },
  )
  sent.on("error", (error) => {
    if (!isClosed) throw error
  })
  sent.end(JSON.stringify(body))
  return () => {
    isClosed = true
    sent.destroy()
  }
}

/** @param {string} block @param {(name: string, data: EventData) => void} onEvent */
function passOn(block, onEvent) {
  const [, name = "", data = "null"] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
  onEvent(name, JSON.parse(data))
}
