/** The facts that the page has before anybody has signed in. The server writes it into the HTML. */
interface Boot {
  /** The mount path of the API, such as `/api`. */
  readonly apiBase: string
  /** The mount path of the console, such as `/admin`. */
  readonly consoleBase: string
  /** The version of kit. */
  readonly version: string
  readonly app: { readonly name: string }
  readonly brand: { readonly name: string; readonly accent: string | null }
  /** The services with which users can sign in. */
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  /** False if the app has its own sessions: nobody signs in with a password of kit. */
  readonly passwordSignIn: boolean
  /** True if the app can send mails with a link for a new password. */
  readonly passwordReset: boolean
  /** True if anyone may create an account. */
  readonly signUp: boolean
  /** True if the browser has sent a session, which may have ended since. */
  readonly hasSession: boolean
  /** True until the first administrator has been created. */
  readonly setUpOpen: boolean
}

export const boot: Boot = readBoot()

function readBoot(): Boot {
  const text = document.getElementById("kit-boot")?.textContent
  if (!text) throw new Error("The page has no boot data. It has to be served by kit.")
  return JSON.parse(text)
}
