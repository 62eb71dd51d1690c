import { quoteText } from "./literal.ts"

/** A function in PL/pgSQL that kit needs in the database. */
interface OwnFunction {
  readonly name: string
  /** The parameters with their types, as SQL. */
  readonly parameters: string
  readonly returns: string
  /** The rest of the definition, such as `immutable`. */
  readonly attributes: string
  readonly body: string
}

/** Returns the SQL that creates the function, or replaces one with another body. */
export function prepareFunction({ name, parameters, returns, attributes, body }: OwnFunction): string {
  const isEqual = `proname = ${quoteText(name)} and prosrc = ${quoteText(body)} and pronamespace = current_schema()::regnamespace`
  const create = `create or replace function ${name}(${parameters}) returns ${returns}
language plpgsql ${attributes} as ${quoteText(body)}`
  return `do ${quoteText(`begin if not exists (select from pg_proc where ${isEqual}) then ${create}; end if; end`)}`
}
