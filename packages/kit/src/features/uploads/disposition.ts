import { ApiError } from "../../wire/errors/api-error.ts"

interface Disposition {
  readonly name: string
  readonly filename: string | undefined
}

const MAX_NAME_CHARACTERS = 200
const PARAMETER = /;\s*([a-z]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/gi

/**
 * Parses the name and the file name in the headers of a form part. Headers other than Content-Disposition are ignored.
 */
export function parseDisposition(headers: string): Disposition {
  const line = headers.split("\r\n").find((text) => /^content-disposition\s*:/i.test(text)) ?? ""
  const value = line.slice(line.indexOf(":") + 1).trim()
  const parameters = new Map<string, string>()
  for (const [, name = "", quoted, plain] of value.matchAll(PARAMETER)) {
    parameters.set(name.toLowerCase(), quoted === undefined ? (plain ?? "") : unescaped(quoted))
  }
  const name = parameters.get("name")
  if (!/^form-data\s*;/i.test(value) || name === undefined || name.length > MAX_NAME_CHARACTERS) {
    throw new ApiError("BAD_REQUEST", { message: "A part of the form has no name, or one that is too long." })
  }
  return { name, filename: extendedName(parameters.get("filename*")) ?? parameters.get("filename") }
}

// Unescapes a name in a form part's header. Browsers encode a quote as %22, other clients escape it with a backslash.
// Any other backslash belongs to a Windows file path.
function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, "$1").replace(/%22/g, '"')
}

function extendedName(text: string | undefined): string | undefined {
  const encoded = text && /^utf-8'[^']*'(.*)$/i.exec(text)?.[1]
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
