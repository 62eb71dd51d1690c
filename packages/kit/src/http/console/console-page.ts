import { escapeHtml } from "../../wire/codecs/escape-html.ts"
import type { ConsoleFacts } from "./served-console.ts"

/** The data in the HTML of the console, which its script reads: `packages/console/src/kit/boot.ts`. */
interface BootData {
  readonly apiBase: string
  readonly consoleBase: string
  readonly version: string
  readonly app: { readonly name: string }
  readonly brand: { readonly name: string; readonly accent: string | null }
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly passwordSignIn: boolean
  readonly passwordReset: boolean
  readonly signUp: boolean
  readonly hasSession: boolean
  readonly setUpOpen: boolean
}

interface PageRequest {
  /** The whole URL path of the console. */
  readonly mount: string
  readonly hasSession: boolean
  readonly isSetUpOpen: boolean
}

/** The HTML of the console, as the build of the console has written it. */
export interface PageTemplate {
  readonly html: string
  /** The files that a person needs besides who has signed in. */
  readonly desk: readonly string[]
}

// The names of services that are not their id with a capital letter.
const PROVIDER_LABELS: Readonly<Record<string, string>> = {
  cognito: "Amazon Cognito",
  github: "GitHub",
  gitlab: "GitLab",
  huggingface: "Hugging Face",
  line: "LINE",
  linkedin: "LinkedIn",
  paypal: "PayPal",
  tiktok: "TikTok",
  twitter: "X",
  vk: "VK",
  wechat: "WeChat",
}

// Everything that could end the script element, or a line of JavaScript.
const UNSAFE_IN_SCRIPT = /[<>&\u2028\u2029]/g
// The one of the boot data has quotes, so that the template contains valid JSON.
const PLACEHOLDER = /%kit\.(?:base|title)%|"%kit\.boot%"|<!-- %kit\.desk% -->/g

export function bootData(facts: ConsoleFacts, { mount, hasSession, isSetUpOpen }: PageRequest): BootData {
  const { appName, basePath, kitVersion, brand, providers, passwordSignIn, passwordReset, signUp } = facts
  return {
    apiBase: basePath,
    consoleBase: mount,
    version: kitVersion,
    app: { name: appName },
    brand: { name: brand.name ?? appName, accent: brand.accent ?? null },
    providers: providers.map((id) => ({ id, name: providerLabel(id) })),
    ...{ passwordSignIn, passwordReset, signUp, hasSession },
    setUpOpen: isSetUpOpen,
  }
}

// Returns the name of a service to sign in with, as people write it.
function providerLabel(id: string): string {
  return PROVIDER_LABELS[id] ?? `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`
}

/** Returns the HTML of the console. With a session, the browser loads the desk beside the script that asks for it. */
export function renderPage({ html, desk }: PageTemplate, boot: BootData): string {
  const texts: Readonly<Record<string, string>> = {
    "%kit.base%": escapeHtml(boot.consoleBase),
    "%kit.title%": escapeHtml(boot.brand.name),
    '"%kit.boot%"': JSON.stringify(boot).replace(UNSAFE_IN_SCRIPT, escapedCharacter),
    "<!-- %kit.desk% -->": boot.hasSession ? desk.map((file) => linkTo(file, boot.consoleBase)).join("") : "",
  }
  // One pass, so that a name of the author is never taken for a placeholder.
  return html.replace(PLACEHOLDER, (placeholder) => texts[placeholder] ?? "")
}

function linkTo(file: string, base: string): string {
  const relation = file.endsWith(".css") ? "stylesheet" : "modulepreload"
  return `<link rel="${relation}" crossorigin href="${escapeHtml(base)}/${file}">`
}

function escapedCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
}

/** Returns the headers of the page. */
export function pageHeaders({ previewOrigins }: ConsoleFacts): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${[...previewOrigins, "blob:"].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    // ProseMirror makes the fragments that it pastes under this name.
    "trusted-types ProseMirrorClipboard",
  ]
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    // Other sites learn neither the addresses of the console nor that somebody comes from it.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  }
}
