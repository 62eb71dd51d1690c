import pg from "pg"

declare module "pg" {
  // The published types of `pg` lack the members declared here.
  interface ClientBase {
    /** The key that proves to the server that a cancel request comes from the owner of the session. */
    readonly secretKey: number | null
  }
  interface Connection {
    readonly sslNegotiation: "postgres" | "direct"
    connect(portOrPath: number | string, host?: string): void
    requestSsl(): void
    cancel(processId: number, secretKey: number): void
  }
  interface ClientConfig {
    sslNegotiation?: "postgres" | "direct"
  }
}

const CANCEL_TIMEOUT_MS = 2_000

/**
 * Sends a cancel request for a client's running statement, over a separate connection. Resolves to true when the server
 * has closed that connection: by then it has signalled the session, or a pooler has forwarded the request. Resolves to
 * false if the request may still arrive later, so that the session must not be used again.
 */
export function cancelStatement(client: pg.Client): Promise<boolean> {
  const { processID, secretKey, ssl, host, port } = client
  if (processID === null || secretKey === null) return Promise.resolve(false)
  const { sslNegotiation } = client.connection
  const connection = new pg.Connection({ ssl, sslNegotiation })
  return new Promise((resolve) => {
    let isSent = false
    const finish = (isCertain: boolean) => {
      clearTimeout(timer)
      connection.stream.destroy()
      resolve(isCertain)
    }
    const timer = setTimeout(() => finish(false), CANCEL_TIMEOUT_MS)
    const send = () => {
      connection.cancel(processID, secretKey)
      isSent = true
    }
    connection.on("error", () => finish(false))
    connection.once("end", () => finish(isSent))
    connection.once("sslconnect", send)
    connection.once("connect", () => {
      if (!ssl) send()
      else if (sslNegotiation !== "direct") connection.requestSsl()
    })
    if (host.startsWith("/")) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}
