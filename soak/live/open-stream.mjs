/**
 * Requests a stream. Resolves, once it is open, to its events as they arrive.
 *
 * @param {string} url
 * @param {{ topics?: readonly object[], documents?: readonly object[], headers: Record<string, string>, signal: AbortSignal }} request
 */
export async function openStream(url, { topics = [], documents, headers, signal }) {
  const body = JSON.stringify({ topics, documents })
  const response = await fetch(`${url}/realtime`, { method: "POST", headers, body, signal })
  if (response.status !== 200) throw new Error(`The stream was refused: ${response.status}.`)
  return eventsIn(response)
}

/** @param {Response} response @returns {AsyncGenerator<{ name: string, json: string }>} */
async function* eventsIn({ body }) {
  let text = ""
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks) {
      const [, name = "", json = "null"] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
      yield { name, json }
    }
  }
}
