import type { HandlerDependencies } from "../../../http/handler.ts"
import { LargeBodySemaphore } from "../../../http/large-body-semaphore.ts"
import type { KitConfig } from "../config.ts"

const DEFAULT_BODY_BYTES = 1024 * 1024
const DEFAULT_BULK_BODY_BYTES = 4 * 1024 * 1024
const DEFAULT_RAW_BODY_BYTES = 16 * 1024 * 1024

const DEFAULT_LARGE_BODIES = 2
const DEFAULT_ANSWER_BYTES = 10 * 1024 * 1024

type BodyLimits = Pick<HandlerDependencies, "maxBodyBytes" | "maxBulkBodyBytes" | "maxRawBodyBytes" | "largeBodies">

/** Returns the limits on the size of request bodies. */
export function bodyLimits({ limits = {} }: Pick<KitConfig, "limits">): BodyLimits {
  const maxBodyBytes = limits.bodyBytes ?? DEFAULT_BODY_BYTES
  return {
    maxBodyBytes,
    maxBulkBodyBytes: Math.max(maxBodyBytes, limits.bulkBodyBytes ?? DEFAULT_BULK_BODY_BYTES),
    maxRawBodyBytes: limits.rawBodyBytes ?? DEFAULT_RAW_BODY_BYTES,
    largeBodies: new LargeBodySemaphore(limits.largeBodies ?? DEFAULT_LARGE_BODIES),
  }
}

/** Returns the maximum size, in bytes, of the response to a read. */
export function answerLimit({ limits }: Pick<KitConfig, "limits">): number {
  return limits?.answerBytes ?? DEFAULT_ANSWER_BYTES
}
