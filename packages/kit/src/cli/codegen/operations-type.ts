import type { Resource } from "../../schema/compile/resource.ts"
import type { TypeContext } from "./field-types.ts"
import { stageNames } from "./resource-types.ts"
import { typeName } from "./type-names.ts"

/**
 * Returns the types of a collection's operations, for code on the server and for a client. The reads are written out in
 * full, so that at each call the compiler only has to fill in `with`, `columns`, `groupBy` and `locale`.
 */
export function operationsType(context: TypeContext): string {
  const { resource, names, callerNames, isLocalized = false } = context
  const name = typeName(names, resource)
  if (callerNames) return systemOperations(name, typeName(callerNames, resource), resource)
  const uploads = resource.upload ? `, FileUploads<${name}Record, ${name}Create>` : ""
  const reads = isLocalized ? localizedReads : plainReads
  return `${readOptions(name, resource, isLocalized)}

export interface ${name}Operations extends Reads, ${operationsOnServer(name, resource)} {
${reads(name, "")}
}

export interface ${name}Client extends Reads, ${operationsInClient(name, resource)}${uploads}, LiveCollection<${name}Types> {
${reads(name, ", call?: CallOptions")}
}`
}

// Returns the operations type for system code; there is no such type for a client. The types of its reads are not
// written out but inferred by the compiler where they are used, because system code rarely reads.
function systemOperations(name: string, callerName: string, resource: Resource): string {
  const reads = `SystemReads<${name}Types, ${callerName}Types>`
  return `export interface ${name}Operations extends ${reads}, ${operationsOnServer(name, resource)} {}`
}

function operationsOnServer(name: string, resource: Resource): string {
  const writes = resource.workflow ? "StagedWrites" : "CountAndWrites"
  const operations = [writes, ...(resource.deletedAt ? ["KeptRecords"] : []), ...extrasOf(resource)]
  return operations.map((base) => `${base}<${name}Types, LocaleOptionsOf<AppLocale>>`).join(", ")
}

function operationsInClient(name: string, resource: Resource): string {
  const writes = resource.workflow ? "ClientStagedWrites" : "ClientWrites"
  const operations = [writes, ...(resource.deletedAt ? ["ClientKeptRecords"] : []), ...extrasOf(resource)]
  return operations.map((base) => `${base}<${name}Types, ClientOptions<AppLocale>>`).join(", ")
}

function extrasOf({ versions, workflow }: Resource): string[] {
  return [...(versions ? ["Versions"] : []), ...(workflow ? ["Stages"] : [])]
}

function readOptions(name: string, resource: Resource, isLocalized: boolean): string {
  const stages = stageNames(resource)
  const selection = `  with?: WithOption<${name}Types, With>
  columns?: ColumnsOption<${name}Types, Columns>
  locale?: ${isLocalized ? "Locale" : 'AppLocale | "*"'} | undefined`
  const locale = isLocalized ? ", Locale extends string" : ""
  return `export type ${name}Group = keyof ${name}OrderBy | GroupByOptions<keyof ${name}OrderBy> | undefined

export interface ${name}FindOptions extends PageOptions {
  where?: ${name}Where | undefined
  orderBy?: ${name}OrderBy | readonly ${name}OrderBy[] | undefined
  includeDeleted?: ${resource.deletedAt ? "boolean | undefined" : "undefined"}${stages ? `\n  stage?: ${stages} | undefined` : ""}
}

export interface ${name}Find<With, Columns, Group${locale}> extends ${name}FindOptions {
${selection}
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}`
}

// Refuses a read with both `page` and `offset`.
const PAGE_PARAMETER = "PageNumber extends number | undefined = undefined"
const PAGE_OPTIONS = " & PageOrOffset<PageNumber>"

// A list can also be read by cursors. Its result then has cursors, too.
const LIST_PARAMETERS = `${PAGE_PARAMETER}, Cursor extends CursorValue = undefined`
const LIST_OPTIONS = " & PageOrOffset<PageNumber, Cursor>"

// A read without options gets a named result type, so that the compiler does not have to compute a type for it.
function plainReads(name: string, perCall: string): string {
  return `  find<${selectionParameters(name)}, ${groupParameter(name)}, ${LIST_PARAMETERS}>(
    options?: ${name}Find<With, Columns, Group>${LIST_OPTIONS}${perCall},
  ): Promise<WithCursors<${pageType(name)}, Cursor>>
  findOne<${selectionParameters(name)}, ${PAGE_PARAMETER}>(
    options?: ${name}Find<With, Columns, never>${PAGE_OPTIONS}${perCall},
  ): Promise<${oneType(name)} | null>`
}

// Returns the types of reads that accept `locale`. The key of a group is a value in one locale, even if the records in
// the group have the values of all locales.
function localizedReads(name: string, perCall: string): string {
  const locale = 'const Locale extends AppLocale | "*" = never'
  const byLocale = `Found<${name}TypesByLocale, With, Columns>`
  return `  find<${selectionParameters(name)}, ${groupParameter(name)}, ${locale}, ${LIST_PARAMETERS}>(
    options?: ${name}Find<With, Columns, Group, Locale>${LIST_OPTIONS}${perCall},
  ): Promise<WithCursors<"*" extends Locale ? PageOf<${name}Types, With, Columns, Group, ${name}TypesByLocale> : ${pageType(name)}, Cursor>>
  findOne<${selectionParameters(name)}, ${locale}, ${PAGE_PARAMETER}>(
    options?: ${name}Find<With, Columns, never, Locale>${PAGE_OPTIONS}${perCall},
  ): Promise<("*" extends Locale ? ${byLocale} : ${oneType(name)}) | null>`
}

function selectionParameters(name: string): string {
  return `const With extends ${name}With = never, const Columns extends ${name}Columns = never`
}

function groupParameter(name: string): string {
  return `const Group extends ${name}Group = never`
}

function pageType(name: string): string {
  const asked = `PageOf<${name}Types, With, Columns, Group>`
  return `With | Columns | Group extends never ? Page<${name}Record> : ${asked}`
}

function oneType(name: string): string {
  return `(With | Columns extends never ? ${name}Record : Selected<${name}Types, With, Columns>)`
}
