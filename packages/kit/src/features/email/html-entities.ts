// The names of the HTML entities for the characters 160 to 255, in order.
const LATIN = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
  deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
  Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml
  ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig
  agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
  eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`

const FIRST_LATIN = 160

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...LATIN.split(/\s+/).map((name, index): [string, string] => [name, String.fromCharCode(FIRST_LATIN + index)]),
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["ndash", "–"],
  ["mdash", "—"],
  ["lsquo", "‘"],
  ["rsquo", "’"],
  ["sbquo", "‚"],
  ["ldquo", "“"],
  ["rdquo", "”"],
  ["bdquo", "„"],
  ["hellip", "…"],
  ["bull", "•"],
  ["euro", "€"],
  ["trade", "™"],
  ["larr", "←"],
  ["rarr", "→"],
  ["zwnj", ""],
])

const ENTITY = /&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,15});/g

/** Replaces HTML entities by their characters. Entities with unknown names stay as they are. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, (entity, given: string) => {
    if (!given.startsWith("#")) return ENTITIES.get(given) ?? entity
    // Number() parses hexadecimal "0x41" as well as decimal "65".
    return characterOf(Number(given.slice(1).replace(/^[xX]/, "0x")))
  })
}

const REPLACEMENT = "\ufffd"

function characterOf(code: number): string {
  const isCharacter = code >= 32 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
  if (isCharacter) return String.fromCodePoint(code)
  return code === 9 || code === 10 || code === 13 ? " " : REPLACEMENT
}
