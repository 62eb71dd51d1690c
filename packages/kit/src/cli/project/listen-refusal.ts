export interface Address {
  readonly port: number
  readonly host: string
}

/** Returns a message that explains why the server cannot listen on an address; undefined for any other error. */
export function listenRefusal(error: unknown, { port, host }: Address): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "EADDRINUSE") return `Port ${port} is taken. Choose another with --port.`
  if (code === "EACCES") return `This user may not listen on port ${port}. Choose one above 1023 with --port.`
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `"${host}" is not an address of this machine. Set --host or HOST to one that is, or to 0.0.0.0 for all of them.`
  return undefined
}
