import type { Resource } from "../../schema/resource.ts"

/**
 * The operations of a collection, as code on the server and a client call them. The reads are written out: a compiler that
 * meets a call then has only `with`, `columns` and `groupBy` to fill in.
 */
export function operationsType(name: string, resource: Resource): string {
  const types = `<${name}Types>`
  const onServer = ["CountAndWrites", ...(resource.deletedAt ? ["KeptRecords"] : [])]
  const inClient = ["ClientWrites", ...(resource.deletedAt ? ["ClientKeptRecords"] : [])]
  const basesOf = (operations: string[]) => ["Reads", ...operations.map((base) => base + types)].join(", ")
  return `${readOptions(name, resource)}

export interface ${name}Operations extends ${basesOf(onServer)} {
${readsText(name, "")}
}

export interface ${name}Client extends ${basesOf(inClient)} {
${readsText(name, ", call?: CallOptions")}
}`
}

function readOptions(name: string, { deletedAt }: Resource): string {
  return `export interface ${name}FindOptions extends PageOptions {
  where?: ${name}Where | undefined
  orderBy?: ${name}OrderBy | readonly ${name}OrderBy[] | undefined
  includeDeleted?: ${deletedAt ? "boolean | undefined" : "undefined"}
}

export interface ${name}Find<With, Columns, Group> extends ${name}FindOptions {
  with?: (With & NoInfer<Exact<With, ${name}With>>) | undefined
  columns?: (Columns & NoInfer<ExactNames<Columns, ${name}Columns>>) | undefined
  groupBy?: Group & Exact<Group, GroupByOptions<keyof ${name}OrderBy>>
}`
}

// The answer to a plain read is named where it is read: no other type has to be worked out for it.
function readsText(name: string, perCall: string): string {
  const selection = `const With extends ${name}With = never, const Columns extends ${name}Columns = never`
  const group = `const Group extends keyof ${name}OrderBy | GroupByOptions<keyof ${name}OrderBy> | undefined = never`
  return `  find<${selection}, ${group}>(
    options?: ${name}Find<With, Columns, Group>${perCall},
  ): Promise<[With | Columns | Group] extends [never] ? Page<${name}Record> : PageOf<${name}Types, Found<${name}Types, With, Columns>, Group>>
  findOne<${selection}>(
    options?: ${name}Find<With, Columns, never>${perCall},
  ): Promise<([With | Columns] extends [never] ? ${name}Record : Found<${name}Types, With, Columns>) | null>`
}
