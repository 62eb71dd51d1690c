import type { WeightLabel } from "../../schema/compile/resource.ts"
import { quoteText } from "../text/literal.ts"
import { prepareFunction } from "../text/own-function.ts"
import { PLAIN_CONFIGURATION } from "./configurations.ts"

/** One of the texts that a vector consists of, and the label of its words. */
export interface VectorPart {
  /** The SQL of the text; undefined for a text that the vector leaves out. */
  readonly text: string | undefined
  readonly label: WeightLabel
}

/** The function that makes the vector of a row. The database has it since the first resource became searchable. */
const VECTOR_FUNCTION = "_kit_search_vector"

/**
 * Returns the SQL of the `tsvector` of several texts. The triggers call it with all searched texts; a read that may use
 * only some of them leaves out the others, but has to pass all parts, because they share the size of the vector.
 */
export function vectorOf(parts: readonly VectorPart[], configuration: string): string {
  const texts = parts.map(({ text }) => text ?? "null")
  const labels = parts.map(({ label }) => label).join()
  return `${VECTOR_FUNCTION}(${quoteText(configuration)}, array[${texts.join(", ")}]::text[], '{${labels}}')`
}

// The maximum length of one text, in characters and in bytes. The vector of a text needs at most four times its bytes.
const MAX_CHARACTERS = 100_000
const MAX_BYTES = 250_000
// PostgreSQL refuses vectors of 1 MiB and more.
const MAX_VECTOR_BYTES = 1_000_000
// No text has this word, because the parser treats the character as white space.
const GAP_WORD = "E'\\x01'"
const GAP = "E'\\x01:64'::tsvector"

// The parser of PostgreSQL would read what these characters connect as one word: a path, an address, a file name. Of a
// long text of such characters it looks at every end from every place, for minutes.
export const CONNECTORS = "_@/~"

/**
 * Returns the SQL of a text in which only white space, hyphens and dots connect words. Every text is read so, that of a
 * record and that of a query.
 */
function separateWords(text: string): string {
  return `translate(${text}, '${CONNECTORS}', '${" ".repeat(CONNECTORS.length)}')`
}

const BODY = `
declare
  result tsvector := '';
  piece text;
  words tsvector;
  spelled tsvector;
begin
  for place in 1 .. cardinality(texts) loop
    piece := ${separateWords(`left(texts[place], ${MAX_CHARACTERS})`)};
    continue when piece is null or piece = '';
    while octet_length(piece) > ${MAX_BYTES} loop
      piece := left(piece, length(piece) / 2);
    end loop;
    loop
      words := to_tsvector(configuration, piece);
      spelled := '';
      if configuration <> '${PLAIN_CONFIGURATION}'::regconfig then
        spelled := strip(ts_delete(to_tsvector('${PLAIN_CONFIGURATION}', piece), tsvector_to_array(words)));
      end if;
      exit when pg_column_size(words) + pg_column_size(spelled) <= ${MAX_VECTOR_BYTES} / cardinality(texts);
      piece := left(piece, length(piece) / 2);
    end loop;
    words := setweight(words, labels[place]) || spelled;
    result := case when result = '' then words else result || ${GAP} || words end;
  end loop;
  return ts_delete(result, ${GAP_WORD});
end
`

/**
 * The SQL that creates the function that makes vectors, unless it exists. Each text gets its share of the 1 MB that
 * PostgreSQL allows, so that no text is too long and the words of one text never depend on the length of another: what
 * is too long is cut. Between the words of two texts is a gap in the positions, so that no phrase is found across them.
 *
 * A vector has the stem of each word and, without a position, the word as it is spelled if it is not its own stem. So
 * "negotiat" finds "negotiations", whose stem is "negoti", a misspelled word is compared with whole words, and words
 * that the language ignores can be found if nothing else is asked for.
 */
export const PREPARE_VECTOR_FUNCTION: readonly string[] = [
  prepareFunction({
    name: VECTOR_FUNCTION,
    parameters: 'configuration regconfig, texts text[], labels "char"[]',
    returns: "tsvector",
    attributes: "immutable parallel safe",
    body: BODY,
  }),
]
