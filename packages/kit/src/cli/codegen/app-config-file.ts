import type { AppSchema, Resource } from "../../schema/resource.ts"
import type { CodegenInput } from "./codegen-input.ts"
import { importText } from "./import-text.ts"
import { interfaceText, type Member, membersText } from "./interface-text.ts"
import { hasLocalizedFields, localeTypes } from "./locale-types.ts"
import { operationsType } from "./operations-type.ts"
import { resourceTypes } from "./resource-types.ts"
import { routesType } from "./routes-type.ts"
import { type TypeNames, typeName, typeNames } from "./type-names.ts"
import { userTypes } from "./user-type.ts"

// What the text may use; a name that it does not use is not imported.
const IMPORTABLE = [
  "CallOptions",
  "ChoiceFilter",
  "ClientKeptRecords",
  "ClientOptions",
  "ClientStagedWrites",
  "ClientWrites",
  "CountAndWrites",
  "Direction",
  "ExactGroup",
  "ExactMembers",
  "ExactNames",
  "FileUploads",
  "Found",
  "GlobalStages",
  "GlobalVersions",
  "GroupByOptions",
  "IdFilter",
  "IterationSettings",
  "JsonFilter",
  "JsonListFilter",
  "JsonValue",
  "KeptRecords",
  "ListFilter",
  "LiveOptionsOf",
  "LiveSettings",
  "LocaleOptionsOf",
  "ManyFilter",
  "ManyInput",
  "ManyOptions",
  "OrderedFilter",
  "Page",
  "PageOf",
  "PageOptions",
  "Reads",
  "RelatedOptions",
  "RelationFilter",
  "RelationInput",
  "RichText",
  "RouteCall",
  "RoutePlace",
  "RouteQuery",
  "Selected",
  "Snapshots",
  "StagedWrites",
  "Stages",
  "TextFilter",
  "TypedGlobal",
  "Versions",
  "WithNames",
]

/** The text of `index.ts`: the types of every resource, then those of the whole app. */
export function appConfigFile({ schema, routes, modules: sources }: CodegenInput): string {
  const names = typeNames(schema)
  const isLocalized = hasLocalizedFields(schema)
  const body = [
    ...localeTypes(schema),
    ...schema.resources.map((resource) => resourceTypes({ resource, names, sources, isLocalized })),
    ...[...schema.collections.values()].map((resource) => operationsType({ resource, names, sources, isLocalized })),
    interfaceText(
      "AppCollections",
      named(schema.collections, (resource) => `${typeName(names, resource)}Operations`),
    ),
    interfaceText(
      "AppGlobals",
      named(schema.globals, (resource) => globalType(resource, `<${typeName(names, resource)}Types>`)),
    ),
    ...userTypes(schema, { names, sources }),
    appConfig(schema, { names, routes: routesType(routes, sources) }),
  ].join("\n\n")
  return `${importText(body, IMPORTABLE, "kit/client")}\n\n${body}\n`
}

function globalType({ versions, workflow }: Resource, types: string): string {
  const parts = ["TypedGlobal", ...(versions ? ["GlobalVersions"] : []), ...(workflow ? ["GlobalStages"] : [])]
  return parts.map((part) => part + types).join(" & ")
}

function named(resources: ReadonlyMap<string, Resource>, type: (resource: Resource) => string): Member[] {
  return [...resources.values()].map((resource) => ({ name: resource.name, type: type(resource) }))
}

function appConfig(
  { collections, globals }: AppSchema,
  { names, routes }: { names: TypeNames; routes: string },
): string {
  const types = (resources: ReadonlyMap<string, Resource>) =>
    membersText(
      named(resources, (resource) => `${typeName(names, resource)}Types`),
      "  ",
    )
  return interfaceText("AppConfig", [
    { name: "collections", type: types(collections) },
    { name: "globals", type: types(globals) },
    { name: "locale", type: "AppLocale" },
    { name: "routes", type: routes },
  ])
}
