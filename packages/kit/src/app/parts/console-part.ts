import type { Identity } from "../../features/auth/identity.ts"
import { type ConsoleMounts, mountConsole } from "../../http/console/console-mounts.ts"
import type { ConsoleFacts, ServedConsole } from "../../http/console/served-console.ts"
import type { CallerRule } from "../../http/protection/caller-rule.ts"
import type { AppInputs } from "../app-inputs.ts"
import { isMailKept } from "../config/mail-config.ts"
import { sessionCookieName } from "../config/session-cookie.ts"
import { type ConsoleSetting, consoleSettingOf } from "../config/settings/console-settings.ts"
import { KIT_VERSION } from "../kit-version.ts"
import { packagedConsole } from "../packaged-files.ts"
import type { Part } from "../part-list.ts"

interface ConsoleDependencies extends Pick<AppInputs, "config" | "facts" | "mode"> {
  readonly identity: Identity | undefined
}

export interface OpenConsole {
  /** The path of the console when the app answers every path. */
  readonly path: string
  /** The path of the console that a host framework leaves to the app, besides the base path; undefined if it is not set. */
  readonly hostedPath: string | undefined
  readonly access: CallerRule | undefined
  readonly mounts: ConsoleMounts
  /** Returns the token that finishes the set-up; undefined if it is finished, or if the app has its own sessions. */
  setUpToken(): Promise<string | undefined>
}

/** The console. Nothing of it is read or loaded before its first request. */
export const consolePart: Part<ConsoleDependencies, { readonly console: OpenConsole | undefined }> = {
  open: (dependencies) => {
    const { config, identity } = dependencies
    const setting = consoleSettingOf(config)
    if (setting === undefined) return { console: undefined }
    const { path, isPathSet, access } = setting
    const isSetUpOpen = async () => (await identity?.setUp.isOpen()) ?? false
    const mounts = mountConsole({
      files: packagedConsole,
      ...{ path, isSetUpOpen },
      hasSession: sessionCheck(dependencies),
      facts: factsOf(dependencies, setting),
    })
    const console: OpenConsole = {
      path: path ?? mounts.pathBelowApi,
      // A host keeps its own route at the default path.
      hostedPath: isPathSet ? path : undefined,
      ...{ access, mounts },
      setUpToken: async () => ((await isSetUpOpen()) ? identity?.setUp.token : undefined),
    }
    return { console }
  },
}

// An app with its own sessions may read them from anything in a request.
function sessionCheck({ facts: { url }, mode, identity }: ConsoleDependencies): ServedConsole["hasSession"] {
  const cookie = `${sessionCookieName({ url, mode })}=`
  return (headers) => identity === undefined || (headers.get("cookie")?.includes(cookie) ?? false)
}

function factsOf({ config, facts, mode, identity }: ConsoleDependencies, setting: ConsoleSetting): ConsoleFacts {
  const { previewOrigins, brand } = setting
  return {
    ...{ brand, previewOrigins },
    appName: facts.name,
    basePath: facts.basePath,
    kitVersion: KIT_VERSION,
    providers: identity?.providers ?? [],
    passwordSignIn: identity !== undefined,
    // Mail that is kept reaches only a developer.
    passwordReset: identity !== undefined && (mode === "development" || !isMailKept(config.email)),
    signUp: identity?.signUp ?? false,
  }
}
