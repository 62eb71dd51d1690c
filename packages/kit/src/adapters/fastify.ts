import type { IncomingMessage, ServerResponse } from "node:http"
import { type App, answerNodeRequest, pathBelow } from "../index.ts"

interface FastifyRequest {
  readonly raw: IncomingMessage
}

interface FastifyReply {
  readonly raw: ServerResponse
  getHeaders(): Record<string, string | number | readonly string[] | undefined>
  hijack(): unknown
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void
type BodyParser = (request: unknown, body: unknown, parsed: (error: null) => void) => void

/** The part of a Fastify instance that this adapter uses. */
export interface FastifyHost {
  readonly prefix: string
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(type: string, parser: BodyParser): unknown
  all(path: string, handler: Handler): unknown
}

export interface KitPluginOptions {
  readonly app: Pick<App, "basePath" | "handle">
}

/**
 * Registers the app as a Fastify 5 plugin. The app answers its base path and the paths below it; all other paths stay
 * with your Fastify server.
 *
 * await server.register(kitPlugin, { app })
 */
export function kitPlugin(host: FastifyHost, { app }: KitPluginOptions, done: (error?: Error) => void): void {
  const path = pathBelow(host.prefix, app.basePath)
  if (path instanceof Error) return void done(path)
  // Fastify must not parse request bodies, because the app reads them. Content type parsers changed here apply to this
  // plugin only.
  host.removeAllContentTypeParsers()
  host.addContentTypeParser("*", (_request, _body, parsed) => parsed(null))
  const answer: Handler = ({ raw: request }, reply) => {
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.hijack()
    answerNodeRequest(app.handle, { request, response: reply.raw })
  }
  host.all(`${path}/*`, answer)
  // The root path itself belongs to the pattern above.
  if (app.basePath !== "") host.all(path, answer)
  done()
}
