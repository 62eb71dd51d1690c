import type { HeaderReader } from "../../ports/session-provider.ts"

/** The files of the console, as the build of kit has written them. */
export interface ConsoleFiles {
  /** Returns the content of a file: `manifest.json`, `index.html`, or a file that the manifest names. */
  read(name: string): Promise<Uint8Array<ArrayBuffer>>
}

/** The facts about the app that its console needs. Everyone may know them. */
export interface ConsoleFacts {
  readonly appName: string
  /** The URL path of the API, without a trailing slash. */
  readonly basePath: string
  readonly kitVersion: string
  readonly brand: { readonly name: string | undefined; readonly accent: string | undefined }
  /** The origins of the pages that the console may show in a frame. */
  readonly previewOrigins: readonly string[]
  /** The services with which users can sign in. */
  readonly providers: readonly string[]
  /** False if the app has its own sessions, so that nobody signs in with a password of kit. */
  readonly passwordSignIn: boolean
  /** True if a link for a new password reaches its user. */
  readonly passwordReset: boolean
  readonly signUp: boolean
}

export interface ServedConsole {
  readonly files: ConsoleFiles
  readonly facts: ConsoleFacts
  /** The path of the console outside of the base path, such as `/admin`; undefined if it has none. */
  readonly path: string | undefined
  /** True if a browser has sent what may be a session. It is not looked up: the API says who has signed in. */
  hasSession(headers: HeaderReader): boolean
  /** True while the set-up of the app is not finished. */
  isSetUpOpen(): Promise<boolean>
}
