/** The data in the HTML of the console. A signed-out person may read all of it. */
export interface Boot {
  readonly apiBase: string
  readonly consoleBase: string
  readonly version: string
  readonly app: { readonly name: string }
  readonly brand: { readonly name: string; readonly accent: string | null }
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  /** False if the app has its own sessions: nobody signs in with a password of kit. */
  readonly passwordSignIn: boolean
  readonly passwordReset: boolean
  readonly signUp: boolean
  readonly setUpOpen: boolean
}

/** Reads the boot data of this page. */
export function readBoot(): Boot {
  const block = document.getElementById("kit-boot")
  // The cast is safe: the server writes this block, and it belongs to the same version.
  return JSON.parse(block?.textContent ?? "") as Boot
}
