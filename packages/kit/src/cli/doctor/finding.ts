/** What a check has found. */
export interface Finding {
  readonly status: "ok" | "warn" | "fail"
  readonly message: string
  /** What to do or write. */
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
