import { once } from "node:events"
import { route } from "kit"

/** A stream whose second chunk waits for the gate. */
export default route()
  .get()
  .raw()
  .handler(({ gate, lease }) => {
    lease.open()
    const encoder = new TextEncoder()
    const parts = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode("first")),
      async pull(controller) {
        await once(gate, "open")
        controller.enqueue(encoder.encode("last"))
        controller.close()
      },
    })
    return new Response(parts)
  })
