import { z } from "zod"
import { type Job, job } from "../../src/schema/builders/job.ts"

const schema = z.object({ at: z.coerce.date(), count: z.number().default(1) })

/** The handler gets what the schema makes, and a publisher gives what it takes. */
export const digest = job({
  name: "digest",
  schema,
  handler: ({ payload, attempt, publishedBy, signal }) => {
    const facts: { at: Date; count: number; attempt: number; by: string | null; isOver: boolean } = {
      ...payload,
      attempt,
      by: publishedBy,
      isOver: signal.aborted,
    }
    // @ts-expect-error there is no such part of the payload
    return [facts, payload.cuont]
  },
})

type Given<Declared> = Declared extends Job<infer Payload> ? Payload : never

export const given: Given<typeof digest> = { at: "2026-01-01" }

// @ts-expect-error a count is a number
export const wrong: Given<typeof digest> = { at: "2026-01-01", count: "1" }

// @ts-expect-error there is no such option
job({ name: "x", schema, handler: () => {}, options: { retries: 3 } })
