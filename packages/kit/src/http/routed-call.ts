import { inLocale } from "../engine/locale.ts"
import type { OperationContext } from "../engine/operation-context.ts"
import type { GivenOptions } from "../engine/read-options.ts"
import type { IncomingCall } from "../ports/http.ts"
import type { EndpointCall } from "./endpoint.ts"
import { readJsonBody, readOptionalBody, readOptions, readPlainBody } from "./read-input.ts"

interface BodyLimits {
  readonly maxBodyBytes: number
  readonly maxBulkBodyBytes: number
  readonly maxRawBodyBytes: number
}

/** A call whose endpoint is found. A class rather than a literal full of functions: one is made for every request. */
export class RoutedCall implements EndpointCall {
  readonly callerCtx: OperationContext
  readonly params: Readonly<Record<string, string>>
  readonly incoming: IncomingCall
  readonly #limits: BodyLimits
  #ctx: OperationContext | undefined
  #options: GivenOptions | undefined

  constructor(limits: BodyLimits, { ctx, params, incoming }: Pick<EndpointCall, "ctx" | "params" | "incoming">) {
    this.callerCtx = ctx
    this.params = params
    this.incoming = incoming
    this.#limits = limits
  }

  get ctx(): OperationContext {
    this.#ctx ??= this.incoming.query === "" ? this.callerCtx : inLocale(this.callerCtx, this.options().options)
    return this.#ctx
  }

  options(): GivenOptions {
    this.#options ??= readOptions(this.incoming)
    return this.#options
  }

  header(name: string): string | null {
    return this.incoming.headers.get(name)
  }

  body(): Promise<unknown> {
    return readJsonBody(this.incoming, this.#limits.maxBodyBytes)
  }

  bulkBody(): Promise<unknown> {
    return readJsonBody(this.incoming, this.#limits.maxBulkBodyBytes)
  }

  plainBody(): Promise<unknown> {
    return readPlainBody(this.incoming, this.#limits.maxBodyBytes)
  }

  optionalBody(): Promise<unknown> {
    return readOptionalBody(this.incoming, this.#limits.maxBodyBytes)
  }

  request(body: "json" | "raw"): Request {
    const { maxRawBodyBytes, maxBodyBytes } = this.#limits
    return this.incoming.toRequest(body === "raw" ? maxRawBodyBytes : maxBodyBytes)
  }
}
