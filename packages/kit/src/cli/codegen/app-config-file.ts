import type { AppSchema, Resource } from "../../schema/compile/resource.ts"
import { DOCUMENT_TYPES, documentTypes, hasDocuments } from "./app-types/document-types.ts"
import { routesType } from "./app-types/routes-type.ts"
import { isSearchable, SEARCH_TYPES, searchTypes } from "./app-types/search-types.ts"
import { authTypes, userTypes } from "./app-types/user-type.ts"
import type { CodegenInput } from "./codegen-input.ts"
import { importText } from "./import-text.ts"
import { interfaceText, type Member, membersText } from "./interface-text.ts"
import { type Modules, moduleType } from "./module-type.ts"
import { operationsType } from "./operations-type.ts"
import { resourceTypes } from "./resource-types.ts"
import { hasSystemTypes, systemTypeNames, type TypeNames, typeName, typeNames } from "./type-names.ts"

// The names of kit's types that the generated text may use; names that the text does not use are not imported.
const PUBLIC_TYPES = ["CallOptions", "Direction", "JsonValue", "Page", "RichText"]
const GENERATED_TYPES = [
  "AnyBlockFilter",
  "BlocksFilter",
  "ChannelCalls",
  "ChoiceFilter",
  "ClientKeptRecords",
  "ClientOptions",
  "ClientStagedWrites",
  "ClientWrites",
  "ColumnsOption",
  "CountAndWrites",
  "CursorValue",
  "ExactGroup",
  "FileUploads",
  "Found",
  "FoundRecord",
  "GlobalStages",
  "GlobalVersions",
  "GroupByOptions",
  "IdFilter",
  "JsonFilter",
  "JsonListFilter",
  "KeptRecords",
  "ListFilter",
  "LooseBlockFilter",
  "LiveCollection",
  "LocaleOptionsOf",
  "ManyFilter",
  "ManyInput",
  "ManyOptions",
  "OrderedFilter",
  "OrderedManyInput",
  "PageOf",
  "PageOptions",
  "PageOrOffset",
  "Reads",
  "RelatedOptions",
  "RelationFilter",
  "RelationInput",
  "RouteCall",
  "RoutePath",
  "RouteQuery",
  "Selected",
  "StagedWrites",
  "Stages",
  "SystemReads",
  "TextFilter",
  "TypedGlobal",
  "Versions",
  "WithCursors",
  "WithOption",
]

// The result types of routes depend on the handler context, which `register.ts` declares. The import makes them correct
// even in a program that imports no other file of the app.
const REGISTERED = 'import type {} from "./register.js"'

/** Returns the text of `index.ts`: the types of every resource, followed by the types of the whole app. */
export function appConfigFile({ schema, routes, channels, modules: sources }: CodegenInput): string {
  const names = typeNames(schema)
  const shared = { sources, isLocalized: hasLocalizedFields(schema) }
  const ofEverybody = schema.resources.map((resource) => ({ ...shared, resource, names }))
  const systemNames = systemTypeNames(schema, names)
  const ofSystem = schema.resources
    .filter(hasSystemTypes)
    .map((resource) => ({ ...shared, resource, names: systemNames, callerNames: names }))
  const contexts = [...ofEverybody, ...ofSystem]
  const body = [
    ...localeTypes(schema),
    ...contexts.map(resourceTypes),
    ...contexts.filter(({ resource }) => resource.kind === "collection").map(operationsType),
    ...operationsOf(schema, names),
    ...systemOperations(schema, systemNames),
    ...searchTypes(schema, names),
    ...documentTypes(schema),
    ...userTypes(schema, { names, sources }),
    appConfig(schema, {
      auth: authTypes(schema, { names, sources }),
      names,
      routes: routesType(routes, sources),
      channels: channelsType(channels, sources),
    }),
  ].join("\n\n")
  const imports = [
    importText(body, PUBLIC_TYPES, "kit/client"),
    importText(body, GENERATED_TYPES, "kit/generated"),
    REGISTERED,
  ]
  return `${imports.filter((text) => text !== "").join("\n")}\n\n${body}\n`
}

function channelsType(channels: CodegenInput["channels"], modules: Modules): string | undefined {
  if (channels.size === 0) return undefined
  const typeOf = (name: string) => `ChannelCalls<${moduleType(modules, { kind: "channel", name })}>`
  const names = [...channels.keys()].sort()
  return membersText(
    names.map((name) => ({ name, type: typeOf(name) })),
    "  ",
  )
}

function operationsOf({ collections, globals }: AppSchema, names: TypeNames): string[] {
  const typeOf = (resource: Resource) => operationsName(resource, names)
  return [
    interfaceText("AppCollections", named(collections, typeOf)),
    interfaceText("AppGlobals", named(globals, typeOf)),
  ]
}

function systemOperations({ collections, globals }: AppSchema, systemNames: TypeNames): string[] {
  const own = (resources: ReadonlyMap<string, Resource>) =>
    named(new Map([...resources].filter(([, resource]) => hasSystemTypes(resource))), (resource) =>
      operationsName(resource, systemNames),
    )
  return [
    interfaceText("AppSystemCollections", own(collections), "AppCollections"),
    interfaceText("AppSystemGlobals", own(globals), "AppGlobals"),
  ]
}

function operationsName(resource: Resource, names: TypeNames): string {
  const { kind, versions, workflow } = resource
  const name = typeName(names, resource)
  if (kind === "collection") return `${name}Operations`
  const parts = ["TypedGlobal", ...(versions ? ["GlobalVersions"] : []), ...(workflow ? ["GlobalStages"] : [])]
  return parts.map((part) => `${part}<${name}Types>`).join(" & ")
}

function named(resources: ReadonlyMap<string, Resource>, type: (resource: Resource) => string): Member[] {
  return [...resources.values()].map((resource) => ({ name: resource.name, type: type(resource) }))
}

interface AppMembers {
  readonly auth: readonly Member[]
  readonly names: TypeNames
  readonly routes: string
  readonly channels: string | undefined
}

function appConfig(schema: AppSchema, { auth, names, routes, channels }: AppMembers): string {
  const types = (resources: ReadonlyMap<string, Resource>) =>
    membersText(
      named(resources, (resource) => `${typeName(names, resource)}Types`),
      "  ",
    )
  const { collections, globals } = schema
  return interfaceText("AppConfig", [
    ...auth,
    ...(channels === undefined ? [] : [{ name: "channels", type: channels }]),
    { name: "collections", type: types(collections) },
    ...(hasDocuments(schema) ? [{ name: "documents", type: DOCUMENT_TYPES }] : []),
    { name: "globals", type: types(globals) },
    { name: "locale", type: "AppLocale" },
    { name: "routes", type: routes },
    ...(isSearchable(schema) ? [{ name: "search", type: SEARCH_TYPES }] : []),
  ])
}

/** Returns the type of the app's locale names and, if a field is localized, the type of a value in all locales. */
function localeTypes(schema: AppSchema): string[] {
  const locales = schema.locales.all
  const union = `export type AppLocale = ${locales.map((locale) => JSON.stringify(locale)).join(" | ")}`
  const members = locales.map((locale) => ({ name: JSON.stringify(locale), type: "Value", isOptional: true }))
  return hasLocalizedFields(schema) ? [union, interfaceText("ByLocale<Value>", members)] : [union]
}

function hasLocalizedFields({ resources }: AppSchema): boolean {
  return resources.some(({ fields }) => [...fields.values()].some(({ localized }) => localized !== undefined))
}
