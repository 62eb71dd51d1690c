import type { Resource } from "../../schema/resource.ts"

/**
 * The operations of a collection, as code on the server calls them. What is read most is written out: a compiler that meets
 * a call then has only `with`, `columns` and `groupBy` to fill in.
 */
export function operationsType(name: string, { deletedAt }: Resource): string {
  const types = `${name}Types`
  const bases = [`CountAndWrites<${types}>`, ...(deletedAt ? [`KeptRecords<${types}>`] : [])].join(", ")
  const selection = `const With extends ${name}With = never, const Columns extends ${name}Columns = never`
  const group = `keyof ${name}OrderBy | GroupByOptions<keyof ${name}OrderBy>`
  return `export interface ${name}FindOptions extends PageOptions {
  where?: ${name}Where | undefined
  orderBy?: ${name}OrderBy | readonly ${name}OrderBy[] | undefined
  includeDeleted?: ${deletedAt ? "boolean | undefined" : "undefined"}
}

export interface ${name}FindOne<With, Columns> extends ${name}FindOptions {
  with?: (With & NoInfer<Exact<With, ${name}With>>) | undefined
  columns?: (Columns & NoInfer<ExactNames<Columns, ${name}Columns>>) | undefined
}

export interface ${name}Find<With, Columns, Group> extends ${name}FindOptions {
  with?: (With & NoInfer<Exact<With, ${name}With>>) | undefined
  columns?: (Columns & NoInfer<ExactNames<Columns, ${name}Columns>>) | undefined
  groupBy?: Group & Exact<Group, GroupByOptions<keyof ${name}OrderBy>>
}

export interface ${name}Operations extends ${bases} {
  find<${selection}, const Group extends ${group} | undefined = never>(
    options?: ${name}Find<With, Columns, Group>,
  ): Promise<PageOf<${types}, With, Columns, Group>>
  findOne<${selection}>(options?: ${name}FindOne<With, Columns>): Promise<Found<${types}, With, Columns> | null>
}`
}
