/** The result of one check by `kit doctor`. */
export interface Finding {
  readonly status: "ok" | "warn" | "fail"
  readonly message: string
  /** The change that fixes the reported problem. */
  readonly fix?: string
}

export function ok(message: string): Finding {
  return { status: "ok", message }
}

export function warn(message: string, fix: string): Finding {
  return { status: "warn", message, fix }
}

export function fail(message: string, fix: string): Finding {
  return { status: "fail", message, fix }
}
