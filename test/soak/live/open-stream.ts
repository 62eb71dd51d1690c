/** Requests a stream. Resolves, once it is open, to its events as they arrive. */
export async function openStream(
  url: string,
  {
    topics = [],
    documents,
    headers,
    signal,
  }: {
    topics?: readonly object[]
    documents?: readonly object[]
    headers: Record<string, string>
    signal: AbortSignal
  },
) {
  const body = JSON.stringify({ topics, documents })
  const response = await fetch(`${url}/realtime`, { method: "POST", headers, body, signal })
  if (response.status !== 200) throw new Error(`The stream was refused: ${response.status}.`)
  return eventsIn(response)
}

async function* eventsIn({ body }: Response): AsyncGenerator<{ name: string; json: string }> {
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
