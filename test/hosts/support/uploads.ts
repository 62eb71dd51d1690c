import { expect, test } from "vitest"
import type { Served } from "./conformance.ts"

const MAX = 4_000_000

export function describeUploads(served: () => Served): void {
  test("takes a file as it comes in, and hands it out again, whole and in part", async () => {
    const bytes = Buffer.alloc(3_000_000, "0123456789")

    const { status, body } = await send(served(), bytes)
    const whole = await fetch(`${served().origin}${body.url}`)
    const part = await fetch(`${served().origin}${body.url}`, { headers: { range: "bytes=5-14" } })
    const head = await fetch(`${served().origin}${body.url}`, { method: "HEAD" })

    expect([status, body.size]).toEqual([201, bytes.length])
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    expect([part.status, await part.text()]).toEqual([206, "5678901234"])
    expect([head.status, head.headers.get("etag")]).toEqual([200, whole.headers.get("etag")])
  })

  test("answers a file that is refused, and goes on", async () => {
    const tooLarge = await send(served(), Buffer.alloc(MAX + 1, "a"))
    const page = await send(served(), Buffer.from("<html><p>"))
    const fine = await send(served(), Buffer.from("words"))

    expect([tooLarge.status, page.status, fine.status]).toEqual([413, 415, 201])
  })
}

async function send({ url }: Served, bytes: Buffer<ArrayBuffer>) {
  const form = new FormData()
  form.append("file", new File([bytes], "a.txt"))
  const answer = await fetch(`${url}/papers/upload`, { method: "POST", body: form })
  return { status: answer.status, body: (await answer.json()) as { url: string; size: number } }
}
