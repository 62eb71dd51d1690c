import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"

/** An OpenAPI document, as far as the tests read it. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedCall>>>>
  readonly components: { readonly schemas: Readonly<Record<string, any>> }
  readonly [member: string]: any
}

interface DescribedCall {
  readonly operationId: string
  readonly responses: Readonly<Record<string, any>>
  readonly [member: string]: any
}

/** Checks the answers of an app against the document of its API. */
export class AnswerChecker {
  /** The ids of the operations whose answers were checked. */
  readonly checked: string[] = []
  readonly #document: Document
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: Document) {
    this.#document = document
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document, "api")
  }

  /** Throws if the document does not describe the answer, or describes it differently. */
  async check(request: Request, basePath: string, response: Response): Promise<void> {
    const { pathname } = new URL(request.url)
    const { template, call } = this.#find(request.method.toLowerCase(), pathname.slice(basePath.length))
    const title = `${request.method} ${template} ${response.status}`
    const described = this.#resolve(call.responses[String(response.status)])
    if (described === undefined) throw new Error(`${title} is not in the document.`)
    this.checked.push(call.operationId)
    const [type = ""] = (response.headers.get("content-type") ?? "").split(";")
    const pointer = `${described.pointer ?? `/paths/${escaped(template)}/${request.method.toLowerCase()}/responses/${response.status}`}/content/${escaped(type)}/schema`
    if (described.value.content?.[type] === undefined) throw new Error(`${title}: ${type} is not in the document.`)
    const validate = this.#validatorOf(pointer)
    if (type === "application/json" && !validate(await response.clone().json())) {
      throw new Error(`${title}: ${this.#ajv.errorsText(validate.errors)}`)
    }
  }

  #find(method: string, path: string) {
    const matching = Object.keys(this.#document.paths).filter((template) => patternOf(template).test(path))
    // A path without variables is preferred, as the router does.
    const [template] = matching.sort((left, right) => left.split("{").length - right.split("{").length)
    const call = template === undefined ? undefined : this.#document.paths[template]?.[method]
    if (template === undefined || call === undefined) throw new Error(`${method} ${path} is not in the document.`)
    return { template, call }
  }

  #resolve(response: any): { value: any; pointer?: string } | undefined {
    if (response?.$ref === undefined) return response && { value: response }
    const pointer = String(response.$ref).slice(1)
    const value = pointer
      .split("/")
      .slice(1)
      .reduce((part: any, name) => part[name], this.#document)
    return { value, pointer }
  }

  #validatorOf(pointer: string): ValidateFunction {
    const validate = this.#validators.get(pointer) ?? this.#ajv.compile({ $ref: `api#${pointer}` })
    this.#validators.set(pointer, validate)
    return validate
  }
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]+\}/g, "[^/]+")}$`)
}

function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))
}
