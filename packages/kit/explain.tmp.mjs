// packages/kit/explain.tmp.ts
import pg from "pg";

// packages/kit/src/sql/text/literal.ts
function quoteText(text2) {
  return `'${text2.replaceAll("'", "''")}'`;
}

// packages/kit/src/schema/compile/locales.ts
var ONE_LOCALE = Object.freeze({ default: "en", all: ["en"] });

// packages/kit/src/schema/search/languages.ts
var CODES_OF_LANGUAGES = {
  arabic: ["ar"],
  armenian: ["hy"],
  basque: ["eu"],
  catalan: ["ca"],
  danish: ["da"],
  dutch: ["nl"],
  english: ["en"],
  finnish: ["fi"],
  french: ["fr"],
  german: ["de"],
  greek: ["el"],
  hindi: ["hi"],
  hungarian: ["hu"],
  indonesian: ["id"],
  irish: ["ga"],
  italian: ["it"],
  lithuanian: ["lt"],
  nepali: ["ne"],
  norwegian: ["no", "nb", "nn"],
  portuguese: ["pt"],
  romanian: ["ro"],
  russian: ["ru"],
  serbian: ["sr"],
  spanish: ["es"],
  swedish: ["sv"],
  tamil: ["ta"],
  turkish: ["tr"],
  yiddish: ["yi"]
};
var PLAIN_LANGUAGE = "simple";
var LANGUAGES = [...Object.keys(CODES_OF_LANGUAGES), PLAIN_LANGUAGE];
var LANGUAGE_OF_CODE = new Map(
  Object.entries(CODES_OF_LANGUAGES).flatMap(([language, codes]) => codes.map((code) => [code, language]))
);

// packages/kit/src/sql/text/fragment.ts
var Parameters = class {
  values = [];
  #aliases = 0;
  /** Adds the parameter value and returns its placeholder, such as `$1`. */
  add(value) {
    return `$${this.values.push(value)}`;
  }
  /** Returns a table alias that the statement does not use yet. */
  alias() {
    return `t${this.#aliases++}`;
  }
};
function quote(name) {
  return `"${name}"`;
}
function column(alias, name) {
  return `${alias}."${name}"`;
}

// packages/kit/src/sql/search/configurations.ts
var PREFIX = "_kit_";
var PLAIN_CONFIGURATION = PREFIX + PLAIN_LANGUAGE;
var SELECT_UNFOLDED_CONFIGURATIONS = `select c.cfgname::text from pg_ts_config c
  where c.cfgnamespace = current_schema()::regnamespace and starts_with(c.cfgname::text, '${PREFIX}')
    and not exists (select from pg_ts_config_map m join pg_ts_dict d on d.oid = m.mapdict
      where m.mapcfg = c.oid and d.dictname = 'unaccent')
  order by 1`;

// packages/kit/src/sql/search/search-vector.ts
var VECTOR_FUNCTION = "_kit_search_vector";
function vectorOf(parts, configuration) {
  const texts = parts.map(({ text: text2 }) => text2 ?? "null");
  const labels = parts.map(({ label }) => label).join();
  return `${VECTOR_FUNCTION}(${quoteText(configuration)}, array[${texts.join(", ")}]::text[], '{${labels}}')`;
}
var MAX_CHARACTERS = 1e5;
var MAX_BYTES = 25e4;
var MAX_VECTOR_BYTES = 1e6;
var GAP_WORD = "E'\\x01'";
var GAP = "E'\\x01:64'::tsvector";
var CONNECTORS = "_@/~";
function separateWords(text2) {
  return `translate(${text2}, '${CONNECTORS}', '${" ".repeat(CONNECTORS.length)}')`;
}
var BODY = `
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
`;
var PREPARE_VECTOR_FUNCTION = [createUnlessEqual()];
function createUnlessEqual() {
  const isEqual = `proname = '${VECTOR_FUNCTION}' and prosrc = ${quoteText(BODY)} and pronamespace = current_schema()::regnamespace`;
  const create = `create or replace function ${VECTOR_FUNCTION}(configuration regconfig, texts text[], labels "char"[]) returns tsvector
language plpgsql immutable parallel safe as ${quoteText(BODY)}`;
  return `do ${quoteText(`begin if not exists (select from pg_proc where ${isEqual}) then ${create}; end if; end`)}`;
}

// packages/kit/src/schema/compile/field-type.ts
var NO_LIMITS = Object.freeze({});

// packages/kit/src/sql/text/locale-map.ts
function isLocaleMap(field) {
  return "inOneLocale" in field;
}

// packages/kit/src/sql/text/localized-sql.ts
function localizedSql(map, { chain, sqlType }) {
  if (sqlType === "jsonb") return firstOf(chain, (locale) => `${map}->'${locale}'`);
  if (sqlType.endsWith("[]"))
    return listSql(
      firstOf(chain, (locale) => `${map}->'${locale}'`),
      sqlType.slice(0, -2)
    );
  const text2 = firstOf(chain, (locale) => `${map}->>'${locale}'`);
  return sqlType === "text" ? text2 : `${text2}::${sqlType}`;
}
function firstOf(chain, valueIn) {
  return chain.length === 1 ? `(${chain.map(valueIn).join()})` : `coalesce(${chain.map(valueIn).join(", ")})`;
}
function listSql(items, elementType) {
  const elements = `select item::${elementType} from jsonb_array_elements_text(${items}) item`;
  return `(case when ${items} is not null then array(${elements}) end)`;
}
function pickLocales(map, locales) {
  const names = locales.map((locale) => `'${locale}'`).join(", ");
  const listed = `select jsonb_object_agg(key, value) from jsonb_each(${map}) where key in (${names})`;
  return `case when ${map} - array[${names}] = '{}'::jsonb then ${map} else (${listed}) end`;
}

// packages/kit/src/sql/text/field-sql.ts
function fieldSql(alias, field) {
  const { name, type: type2, localized } = field;
  if (type2.expression) return `(${expressionSql(alias, type2.expression)})::${type2.sqlType}`;
  const stored = column(alias, name);
  if (isLocaleMap(field)) return pickLocales(stored, field.inOneLocale.localized?.all ?? []);
  return localized ? localizedSql(stored, { chain: localized.chain, sqlType: type2.sqlType }) : stored;
}
function expressionSql(alias, expression) {
  let sql = "";
  for (const part of expression) {
    if ("text" in part) sql += part.text;
    else if (part.localized) sql += localizedSql(column(alias, part.column), part.localized);
    else sql += column(alias, part.column);
  }
  return sql;
}

// packages/kit/src/schema/builders/field.ts
var PLAIN = Object.freeze({
  required: false,
  unique: false,
  index: false,
  localized: false,
  hidden: false,
  readOnly: false,
  validations: []
});

// packages/kit/src/schema/json-schema/text-patterns.ts
var STORABLE_TEXT = "^[^\\u0000\\uD800-\\uDFFF]*$";

// packages/kit/src/schema/json-schema/json-definitions.ts
var JSON_MAX_DEPTH = 20;
var RICH_TEXT_MAX_DEPTH = 12;
var DEFINITIONS = "#/$defs/";
var TEXT = { type: "string", pattern: STORABLE_TEXT };
function jsonReference(depth) {
  return { $ref: `${DEFINITIONS}json${depth}` };
}
var RICH_TEXT_REFERENCE = { $ref: `${DEFINITIONS}richText` };
function jsonObject(depth) {
  const members = depth === 0 ? { maxProperties: 0 } : { additionalProperties: jsonReference(depth - 1) };
  return { type: "object", propertyNames: TEXT, ...members };
}
var nodeAttributes = { anyOf: [jsonObject(JSON_MAX_DEPTH - 1), { type: "null" }] };
var markAttributes = { anyOf: [jsonObject(JSON_MAX_DEPTH - 3), { type: "null" }] };
function nodeProperties(depth) {
  const content = depth === 0 ? { maxItems: 0 } : { items: { $ref: `${DEFINITIONS}richTextNode${depth - 1}` } };
  return {
    attrs: nodeAttributes,
    content: { type: "array", ...content },
    marks: { type: "array", items: { $ref: `${DEFINITIONS}richTextMark` } }
  };
}
var documentSchema = {
  type: "object",
  properties: { type: { const: "doc" }, ...nodeProperties(RICH_TEXT_MAX_DEPTH) },
  required: ["type", "content"],
  additionalProperties: false
};

// packages/kit/src/schema/fields/json.ts
var jsonType = Object.freeze({
  name: "json",
  sqlType: "jsonb",
  operators: "json",
  typescript: { output: "unknown", input: "unknown" },
  jsonSchema: Object.freeze({ input: Object.freeze(jsonReference(JSON_MAX_DEPTH)), output: Object.freeze({}) }),
  limits: NO_LIMITS,
  parse: parseJson,
  parseOperand: parseJsonOperand,
  parseText: parseJsonText,
  toSql: toJsonText
});
function toJsonText(value) {
  return JSON.stringify(value, (_key, part) => typeof part === "bigint" ? String(part) : part);
}
function parseJson(value) {
  const problem = findJsonProblem(value, 0);
  return problem === void 0 ? { value } : { problem };
}
function parseJsonOperand(value) {
  return parseJson(inJson(value, 0));
}
function inJson(value, depth) {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (depth > JSON_MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => inJson(item, depth + 1));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inJson(item, depth + 1)]));
}
function parseJsonText(text2) {
  try {
    return parseJson(JSON.parse(text2));
  } catch {
    return { problem: "Expected JSON text." };
  }
}
function findJsonProblem(value, depth) {
  if (depth > JSON_MAX_DEPTH) return `Must not be nested deeper than ${JSON_MAX_DEPTH} levels.`;
  if (typeof value === "string") return findTextProblem(value);
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return void 0;
  if (Array.isArray(value)) return firstProblem(value, (item) => findJsonProblem(item, depth + 1));
  if (!isPlainObject(value)) return "Expected a JSON value: text, number, boolean, null, list or object.";
  return firstProblem(Object.entries(value), ([key, item]) => findTextProblem(key) ?? findJsonProblem(item, depth + 1));
}
function findTextProblem(text2) {
  if (text2.includes("\0")) return "Must not contain the character U+0000.";
  return text2.isWellFormed() ? void 0 : "Must be well-formed Unicode.";
}
function firstProblem(items, find) {
  for (const item of items) {
    const problem = find(item);
    if (problem !== void 0) return problem;
  }
  return void 0;
}
function isPlainObject(value) {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

// packages/kit/src/wire/options/record-options.ts
var RECORD_OPTIONS = ["with", "columns", "includeDeleted", "locale", "localeFallback", "stage"];

// packages/kit/src/wire/options/query-options.ts
var FIND_OPTIONS = [
  "where",
  "with",
  "columns",
  "orderBy",
  "limit",
  "offset",
  "page",
  "search",
  "total",
  "includeDeleted",
  "locale",
  "localeFallback",
  "stage"
];
var WRITE_OPTIONS = ["locale", "localeFallback", "stage"];
var READ_OPTION_NAMES = {
  find: FIND_OPTIONS,
  groups: [...FIND_OPTIONS, "groupBy"],
  count: FIND_OPTIONS,
  record: FIND_OPTIONS,
  global: RECORD_OPTIONS,
  versions: ["limit", "offset", "includeDeleted", "locale", "localeFallback", "stage"],
  create: [...WRITE_OPTIONS, "dryRun"],
  update: ["expectedRevision", ...WRITE_OPTIONS, "dryRun"],
  globalUpdate: ["expectedRevision", ...WRITE_OPTIONS, "dryRun", "with", "columns"],
  /** Any other change to one existing record. */
  change: ["expectedRevision", ...WRITE_OPTIONS],
  /** Any other write. */
  write: WRITE_OPTIONS,
  description: ["locale"],
  recordAccess: ["locale", "includeDeleted"]
};

// packages/kit/src/sql/text/json-path.ts
var PATH_OPERATORS = { eq: "=", ne: "is distinct from", gt: ">", gte: ">=", lt: "<", lte: "<=" };

// packages/kit/src/sql/text/list-sql.ts
var SHORT_LIST_ITEMS = 20;
function isInList({ column: column2, list, items }) {
  return items > SHORT_LIST_ITEMS ? `${column2} in (select unnest(${list}))` : `${column2} = any(${list})`;
}

// packages/kit/src/sql/filter/verdict.ts
function verdictOf(isTrue) {
  return isTrue ? "yes" : "no";
}
function everyVerdict(items, evaluate) {
  let verdict = "yes";
  for (const item of items) {
    const next = evaluate(item);
    if (next === "no") return "no";
    if (next === "unknown") verdict = "unknown";
  }
  return verdict;
}
function someVerdict(items, evaluate) {
  let verdict = "no";
  for (const item of items) {
    const next = evaluate(item);
    if (next === "yes") return "yes";
    if (next === "unknown") verdict = "unknown";
  }
  return verdict;
}
function opposite(verdict) {
  if (verdict === "unknown") return verdict;
  return verdict === "yes" ? "no" : "yes";
}

// packages/kit/src/sql/filter/compare-in-memory.ts
var isSame = (c) => present(c, orderOf(c, c.operand), (order) => order === 0);
var isOther = (c) => opposite(isSame(c));
var isOneOf = (c) => someVerdict(listOf(c), (operand) => isSame({ ...c, operand }));
var isNoneOf = (c) => opposite(isOneOf(c));
var isBetween = (c) => {
  const [low, high] = listOf(c);
  const bounds = [isOrdered((order) => order >= 0, low), isOrdered((order) => order <= 0, high)];
  return everyVerdict(bounds, (test) => test(c));
  function isOrdered(holds, bound) {
    return (comparison) => present(comparison, orderOf(comparison, bound), holds);
  }
};
function ordered(holds) {
  return (c) => present(c, orderOf(c, c.operand), holds);
}
function nullness(flag) {
  return ({ value, operand }) => verdictOf(value === null === (operand === flag));
}
function present({ value }, order, holds) {
  if (value === null) return "no";
  return order === void 0 ? "unknown" : verdictOf(holds(order));
}
function listOf({ operand }) {
  return operand;
}
function orderOf({ value, type: type2 }, operand) {
  if (typeof value === "string" && typeof operand === "string") {
    return type2.operators === "ordered" ? writtenOrder(value, operand) : textOrder(value, operand);
  }
  if (value instanceof Date && operand instanceof Date) return numberOrder(value.getTime(), operand.getTime());
  if (typeof value === "number" && typeof operand === "number") return numberOrder(value, operand);
  if (typeof value === "bigint" && typeof operand === "bigint") return sign(value, operand);
  return typeof value === "boolean" && typeof operand === "boolean" ? sign(value, operand) : void 0;
}
function textOrder(left, right) {
  return left === right ? 0 : 1;
}
function numberOrder(left, right) {
  return Number.isFinite(left) && Number.isFinite(right) ? sign(left, right) : void 0;
}
function sign(left, right) {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
var CALENDAR = [/^\d{4}-\d{2}-\d{2}$/, /^\d{2}:\d{2}:\d{2}$/];
var DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
function writtenOrder(left, right) {
  if (left === right) return 0;
  if (CALENDAR.some((form) => form.test(left) && form.test(right))) return left < right ? -1 : 1;
  const [leftParts, rightParts] = [DECIMAL.exec(left), DECIMAL.exec(right)];
  if (leftParts === null || rightParts === null) return void 0;
  const scale = Math.max(leftParts[3]?.length ?? 0, rightParts[3]?.length ?? 0);
  return sign(scaled(leftParts, scale), scaled(rightParts, scale));
}
function scaled([, minus = "", whole = "", fraction = ""], scale) {
  return BigInt(`${minus}${whole}${fraction.padEnd(scale, "0")}`);
}

// packages/kit/src/sql/filter/json-in-memory.ts
var isSameJson = asStored(({ value, operand }) => sameJson(value, operand));
var isOtherJson = (comparison) => opposite(isSameJson(comparison));
var containsJson = asStored(({ value, operand }) => {
  if (Array.isArray(value) && !isContainer(operand)) return someVerdict(value, (item) => sameJson(item, operand));
  return containsPart(value, operand);
});
var hasJsonKey = asStored(({ value, operand }) => {
  if (typeof operand !== "string") return "unknown";
  if (Array.isArray(value)) return verdictOf(value.includes(operand));
  return verdictOf(isObject(value) ? Object.hasOwn(value, operand) : value === operand);
});
var matchesJsonPath = ({ value, type: type2, operand }) => {
  if (value !== null && type2.fromJson) return "unknown";
  const { at, comparisons } = operand;
  const inner = at.reduce(stepInto, value === null ? void 0 : value);
  if (inner === UNSURE) return "unknown";
  return everyVerdict(comparisons, ({ operator, value: expected }) => pathVerdict(inner, operator, expected));
};
function asStored(test) {
  return (comparison) => {
    if (comparison.value === null) return "no";
    return comparison.type.fromJson ? "unknown" : test(comparison);
  };
}
function isContainer(value) {
  return typeof value === "object" && value !== null;
}
function isObject(value) {
  return isContainer(value) && !Array.isArray(value);
}
function sameJson(left, right) {
  if (typeof left === "number" && typeof right === "number") return sameNumber(left, right);
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return "no";
    return everyVerdict(left.keys(), (index2) => sameJson(left[index2], right[index2]));
  }
  if (!isObject(left) || !isObject(right)) return verdictOf(left === right);
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length || !keys.every((key) => Object.hasOwn(right, key))) return "no";
  return everyVerdict(keys, (key) => sameJson(left[key], right[key]));
}
function sameNumber(left, right) {
  if (left !== right) return "no";
  return Number.isSafeInteger(left) ? "yes" : "unknown";
}
function containsPart(value, part) {
  if (Array.isArray(value) && Array.isArray(part)) {
    return everyVerdict(part, (item) => someVerdict(value, (own) => containsPart(own, item)));
  }
  if (!isObject(value) || !isObject(part)) return sameJson(value, part);
  return everyVerdict(
    Object.keys(part),
    (key) => Object.hasOwn(value, key) ? containsPart(value[key], part[key]) : "no"
  );
}
var UNSURE = /* @__PURE__ */ Symbol("unsure");
var INDEX = /^(?:0|-?[1-9]\d{0,8})$/;
var LIKE_INDEX = /^\s*[-+]?\d+\s*$/;
function stepInto(value, step) {
  if (Array.isArray(value)) {
    if (INDEX.test(step)) return value.at(Number(step));
    return LIKE_INDEX.test(step) ? UNSURE : void 0;
  }
  if (isObject(value)) return Object.hasOwn(value, step) ? value[step] : void 0;
  return value === UNSURE ? UNSURE : void 0;
}
function pathVerdict(inner, operator, operand) {
  const isSame2 = inner === void 0 ? "no" : sameJson(inner, operand);
  if (operator === "eq") return isSame2;
  if (operator === "ne") return opposite(isSame2);
  if (inner === void 0 || jsonTypeOf(inner) !== jsonTypeOf(operand)) return "no";
  const order = scalarOrder(inner, operand);
  return order === void 0 ? "unknown" : verdictOf(ORDERINGS[operator](order));
}
var ORDERINGS = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0
};
function jsonTypeOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
function scalarOrder(left, right) {
  if (isContainer(left) || isContainer(right)) return void 0;
  if (sameJson(left, right) === "yes") return 0;
  if (typeof left === "boolean") return left ? 1 : -1;
  if (typeof left !== "number" || typeof right !== "number" || left === right) return void 0;
  return left < right ? -1 : 1;
}

// packages/kit/src/sql/filter/list-in-memory.ts
var containsItem = (c) => hasItem(c, c.operand);
var containsAllItems = (c) => c.value === null ? "no" : everyVerdict(itemsOf(c.operand), (item) => hasItem(c, item));
var containsAnyItem = (c) => someVerdict(itemsOf(c.operand), (item) => hasItem(c, item));
var containsJsonItem = (c) => containsJson({ ...c, operand: [c.operand] });
var containsAllJsonItems = containsJson;
var containsAnyJsonItem = (c) => someVerdict(itemsOf(c.operand), (item) => containsJson({ ...c, operand: [item] }));
function emptyList(flag) {
  return ({ value, operand }) => verdictOf(itemsOf(value).length === 0 === (operand === flag));
}
var hasLength = ({ value, operand }) => verdictOf(value !== null && itemsOf(value).length === operand);
function hasItem({ value, type: type2 }, operand) {
  const { element } = type2;
  if (element === void 0) return "unknown";
  return someVerdict(itemsOf(value), (item) => isSame({ value: item, type: element, operand }));
}
function itemsOf(list) {
  return list ?? [];
}

// packages/kit/src/sql/filter/match-in-memory.ts
var isLike = ({ value, operand }) => {
  if (value === null) return "no";
  if (typeof value !== "string" || typeof operand !== "string") return "unknown";
  return verdictOf(matchesPattern(value, operand));
};
var isLikeIgnoringCase = ({ value, operand }) => {
  if (value === null) return "no";
  if (typeof value !== "string" || typeof operand !== "string") return "unknown";
  return isAscii(value) && isAscii(operand) ? foldedVerdict(value, operand) : "unknown";
};
var isNotLike = (comparison) => opposite(isLike(comparison));
var isNotLikeIgnoringCase = (comparison) => opposite(isLikeIgnoringCase(comparison));
function isAscii(text2) {
  for (let at = 0; at < text2.length; at++) if (text2.charCodeAt(at) > 127) return false;
  return true;
}
function foldedVerdict(text2, pattern) {
  const isMatch = matchesPattern(text2.toLowerCase(), pattern.toLowerCase());
  if (!isMatch) return "no";
  return matchesPattern(lowerExceptI(text2), lowerExceptI(pattern)) ? "yes" : "unknown";
}
function lowerExceptI(text2) {
  return text2.replace(/[A-HJ-Z]/g, (letter) => letter.toLowerCase());
}
var ANY_TEXT = /* @__PURE__ */ Symbol("%");
var ANY_CHARACTER = /* @__PURE__ */ Symbol("_");
function partsOf(pattern) {
  const parts = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    if (character === "\\") parts.push(characters[++at] ?? "\\");
    else parts.push(character === "%" ? ANY_TEXT : character === "_" ? ANY_CHARACTER : character);
  }
  return parts;
}
function matchesPattern(text2, pattern) {
  const characters = [...text2];
  const parts = partsOf(pattern);
  let [at, part] = [0, 0];
  let retry;
  while (at < characters.length) {
    const expected = parts[part];
    if (expected === ANY_TEXT) {
      retry = { at, part };
      part += 1;
    } else if (expected === ANY_CHARACTER || expected !== void 0 && expected === characters[at]) {
      at += 1;
      part += 1;
    } else if (retry) {
      retry = { at: retry.at + 1, part: retry.part };
      at = retry.at;
      part = retry.part + 1;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === ANY_TEXT);
}

// packages/kit/src/sql/filter/operators.ts
function operatorsOf(family) {
  return families[family];
}
var EQUALITY = [
  { name: "eq", operand: "value", sql: (c) => `${c.column} = ${bind(c)}`, test: isSame },
  { name: "ne", operand: "value", sql: (c) => `${c.column} is distinct from ${bind(c)}`, test: isOther },
  { name: "in", operand: "list", sql: inListSql, test: isOneOf },
  { name: "notIn", operand: "list", sql: (c) => `(${inListSql(c)}) is not true`, test: isNoneOf }
];
var NULLNESS = [
  { name: "isNull", operand: "flag", sql: (c) => nullSql(c, true), test: nullness(true) },
  { name: "isNotNull", operand: "flag", sql: (c) => nullSql(c, false), test: nullness(false) }
];
var ORDERING = [
  { name: "gt", operand: "value", sql: (c) => `${c.column} > ${bind(c)}`, test: ordered((order) => order > 0) },
  { name: "gte", operand: "value", sql: (c) => `${c.column} >= ${bind(c)}`, test: ordered((order) => order >= 0) },
  { name: "lt", operand: "value", sql: (c) => `${c.column} < ${bind(c)}`, test: ordered((order) => order < 0) },
  { name: "lte", operand: "value", sql: (c) => `${c.column} <= ${bind(c)}`, test: ordered((order) => order <= 0) },
  { name: "between", operand: "pair", sql: (c) => `${c.column} between ${bindPair(c)}`, test: isBetween }
];
var MATCHING = [
  { name: "like", operand: "pattern", sql: (c) => `${c.column} like ${bind(c)}`, test: isLike },
  { name: "ilike", operand: "pattern", sql: (c) => `${c.column} ilike ${bind(c)}`, test: isLikeIgnoringCase },
  { name: "notLike", operand: "pattern", sql: (c) => `(${c.column} like ${bind(c)}) is not true`, test: isNotLike },
  {
    name: "notIlike",
    operand: "pattern",
    sql: (c) => `(${c.column} ilike ${bind(c)}) is not true`,
    test: isNotLikeIgnoringCase
  },
  { name: "contains", operand: "text", ...matching((literal) => `%${literal}%`) },
  { name: "startsWith", operand: "text", ...matching((literal) => `${literal}%`) },
  { name: "endsWith", operand: "text", ...matching((literal) => `%${literal}`) }
];
var JSON_SHAPE = [
  { name: "eq", operand: "value", sql: (c) => `${c.column} = ${bind(c)}::jsonb`, test: isSameJson },
  { name: "ne", operand: "value", sql: (c) => `${c.column} is distinct from ${bind(c)}::jsonb`, test: isOtherJson },
  { name: "contains", operand: "value", sql: (c) => `${c.column} @> ${bind(c)}::jsonb`, test: containsJson },
  { name: "hasKey", operand: "text", sql: hasKeySql, test: hasJsonKey },
  { name: "path", operand: "path", sql: pathSql, test: matchesJsonPath }
];
var ITEMS = [
  { name: "contains", operand: "item", sql: (c) => `${c.column} @> ${bindItems(c, [c.operand])}`, test: containsItem },
  {
    name: "containsAll",
    operand: "items",
    sql: (c) => `${c.column} @> ${bindItems(c, c.operand)}`,
    test: containsAllItems
  },
  {
    name: "containsAny",
    operand: "items",
    sql: (c) => `${c.column} && ${bindItems(c, c.operand)}`,
    test: containsAnyItem
  },
  {
    name: "isEmpty",
    operand: "flag",
    sql: (c) => emptiness(`cardinality(${c.column})`, c.operand === true),
    test: emptyList(true)
  },
  {
    name: "isNotEmpty",
    operand: "flag",
    sql: (c) => emptiness(`cardinality(${c.column})`, c.operand === false),
    test: emptyList(false)
  },
  {
    name: "length",
    operand: "count",
    sql: (c) => `cardinality(${c.column}) = ${c.parameters.add(c.operand)}`,
    test: hasLength
  }
];
var JSON_ITEMS = [
  {
    name: "contains",
    operand: "item",
    sql: (c) => `${c.column} @> ${bindJson(c, [c.operand])}::jsonb`,
    test: containsJsonItem
  },
  {
    name: "containsAll",
    operand: "items",
    sql: (c) => `${c.column} @> ${bindJson(c, c.operand)}::jsonb`,
    test: containsAllJsonItems
  },
  {
    name: "containsAny",
    operand: "items",
    sql: (c) => `${c.column} @> any(${bindEachAsList(c)}::jsonb[])`,
    test: containsAnyJsonItem
  },
  {
    name: "isEmpty",
    operand: "flag",
    sql: (c) => emptiness(`jsonb_array_length(${c.column})`, c.operand === true),
    test: emptyList(true)
  },
  {
    name: "isNotEmpty",
    operand: "flag",
    sql: (c) => emptiness(`jsonb_array_length(${c.column})`, c.operand === false),
    test: emptyList(false)
  },
  {
    name: "length",
    operand: "count",
    sql: (c) => `jsonb_array_length(${c.column}) = ${c.parameters.add(c.operand)}`,
    test: hasLength
  }
];
var families = {
  text: table(EQUALITY, NULLNESS, MATCHING),
  ordered: table(EQUALITY, NULLNESS, ORDERING),
  choice: table(EQUALITY, NULLNESS),
  id: table(EQUALITY, NULLNESS),
  json: table(JSON_SHAPE, NULLNESS),
  list: table(ITEMS, NULLNESS),
  jsonList: table(JSON_ITEMS, NULLNESS),
  none: table()
};
function table(...groups) {
  return new Map(groups.flat().map((operator) => [operator.name, Object.freeze(operator)]));
}
var PLAIN_TEXT = {};
function bind({
  type: type2,
  operand,
  parameters
}) {
  return parameters.add(type2.toSql ? type2.toSql(operand) : operand);
}
function bindList({ type: type2, operand, parameters }) {
  const values = operand;
  return `${parameters.add(type2.toSql ? values.map((value) => type2.toSql?.(value)) : values)}::${type2.sqlType}[]`;
}
function inListSql(comparison) {
  const items = comparison.operand.length;
  return isInList({ column: comparison.column, list: bindList(comparison), items });
}
function bindPair(comparison) {
  const [low, high] = comparison.operand;
  return `${bind({ ...comparison, operand: low })} and ${bind({ ...comparison, operand: high })}`;
}
function nullSql({ column: column2, operand }, flag) {
  return operand === flag ? `${column2} is null` : `${column2} is not null`;
}
function bindItems(comparison, operand) {
  const { element } = comparison.type;
  if (element === void 0) throw new Error(`The type "${comparison.type.name}" is not a list type.`);
  return bindList({ ...comparison, type: element, operand });
}
function bindJson({ parameters }, operand) {
  return parameters.add(toJsonText(operand));
}
function bindEachAsList({ operand, parameters }) {
  return parameters.add(operand.map((item) => toJsonText([item])));
}
function emptiness(length, isEmpty) {
  return `coalesce(${length}, 0) ${isEmpty ? "=" : ">"} 0`;
}
function matching(pattern) {
  const patternOf = (operand) => pattern(escapePattern(operand));
  return {
    sql: ({ column: column2, operand, parameters }) => `${column2} ilike ${parameters.add(patternOf(operand))}`,
    test: (comparison) => isLikeIgnoringCase({ ...comparison, operand: patternOf(comparison.operand) })
  };
}
function hasKeySql({ column: column2, operand, parameters }) {
  return `jsonb_exists(${column2}, ${bind({ type: PLAIN_TEXT, operand, parameters })})`;
}
function escapePattern(text2) {
  return text2.replace(/[\\%_]/g, "\\$&");
}
function pathSql({ column: column2, operand, parameters }) {
  const { at, comparisons } = operand;
  const inner = `${column2} #> ${parameters.add(at)}::text[]`;
  const parts = comparisons.map(({ operator, value }) => {
    const bound = `${parameters.add(JSON.stringify(value))}::jsonb`;
    const comparison = `(${inner}) ${PATH_OPERATORS[operator]} ${bound}`;
    const isOrdering = operator !== "eq" && operator !== "ne";
    return isOrdering ? `(jsonb_typeof(${inner}) = jsonb_typeof(${bound}) and ${comparison})` : comparison;
  });
  return parts.length === 1 ? parts[0] ?? "true" : `(${parts.join(" and ")})`;
}

// packages/kit/src/sql/filter/predicate.ts
var ALWAYS = Object.freeze({ kind: "all", parts: [] });
var NEVER = Object.freeze({ kind: "any", parts: [] });
function isAlways(predicate) {
  return predicate.kind === "all" && predicate.parts.length === 0;
}
function both(left, right) {
  if (isAlways(left)) return right;
  if (isAlways(right)) return left;
  return { kind: "all", parts: [left, right] };
}
var ALLOW = Object.freeze({ kind: "allow" });
var DENY = Object.freeze({ kind: "deny" });
function predicateOf(access) {
  switch (access.kind) {
    case "allow":
      return ALWAYS;
    case "deny":
      return NEVER;
    case "where":
      return access.predicate;
    default:
      return access;
  }
}
var activeRowsOf = /* @__PURE__ */ new WeakMap();
function activeRows(resource2) {
  const { deletedAt } = resource2;
  if (deletedAt === void 0) return ALWAYS;
  const known = activeRowsOf.get(resource2);
  if (known) return known;
  const operator = operatorsOf(deletedAt.type.operators).get("isNull");
  if (operator === void 0) throw new Error("The operator table has no test for null.");
  const predicate = Object.freeze({ kind: "compare", field: deletedAt, operator, operand: true });
  activeRowsOf.set(resource2, predicate);
  return predicate;
}
function activeOnly(resource2, access) {
  if (resource2.deletedAt === void 0 || access.kind === "deny") return access;
  return { kind: "where", predicate: both(activeRows(resource2), predicateOf(access)) };
}
var EVERYTHING = Object.freeze({
  fields: (resource2) => resource2.fields,
  rows: (resource2) => activeOnly(resource2, ALLOW)
});

// packages/kit/src/sql/filter/masked-field.ts
function isMasked(field) {
  return "mask" in field;
}

// packages/kit/src/sql/filter/related-rows.ts
function relatedRows(relation, parent, parameters) {
  const { target } = relation;
  const alias = parameters.alias();
  const table2 = `${quote(target.table)} ${alias}`;
  const parentId = column(parent, target.id.name);
  if (relation.kind === "hasMany") {
    return { alias, from: table2, condition: `${column(alias, relation.via.name)} = ${parentId}` };
  }
  const { link } = relation;
  const joined2 = parameters.alias();
  const join = `join ${table2} on ${column(alias, target.id.name)} = ${column(joined2, link.other)}`;
  return {
    alias,
    from: `${quote(link.table)} ${joined2} ${join}`,
    condition: `${column(joined2, link.own)} = ${parentId}`
  };
}

// packages/kit/src/sql/filter/where.ts
function whereSql(predicate, alias, parameters) {
  switch (predicate.kind) {
    case "all":
      return joined2(predicate.parts, " and ", "true");
    case "any":
      return joined2(predicate.parts, " or ", "false");
    case "not":
      return notSql(predicate.part);
    case "compare":
      return compareSql(predicate);
    case "related":
      return relatedSql(predicate);
    case "some":
      return someSql(predicate);
    case "text":
      return predicate.write(predicate.fields, { alias, parameters });
    default:
      return predicate;
  }
  function notSql(part) {
    switch (part.kind) {
      case "all":
        return joined2(part.parts.map(opposite2), " or ", "false");
      case "any":
        return joined2(part.parts.map(opposite2), " and ", "true");
      case "not":
        return whereSql(part.part, alias, parameters);
      case "compare":
        return `(${compareSql(part)}) is not true`;
      case "related":
        return `not ${relatedSql(part)}`;
      case "some":
        return `not ${someSql(part)}`;
      case "text":
        return `(${part.write(part.fields, { alias, parameters })}) is not true`;
      default:
        return part;
    }
  }
  function joined2(parts, glue, empty) {
    if (parts.length === 0) return empty;
    return `(${parts.map((part) => whereSql(part, alias, parameters)).join(glue)})`;
  }
  function compareSql({ field, operator, operand }) {
    const { type: type2 } = field;
    const compare = (value) => operator.sql({ column: value, type: type2, operand, parameters });
    if (!isMasked(field)) return compare(fieldSql(alias, field));
    const isStrict = field.isStored && operator.test?.({ value: null, type: type2, operand }) === "no";
    if (!isStrict) return compare(visibleSql(field, alias, parameters));
    return `(${whereSql(field.mask, alias, parameters)} and ${compare(fieldSql(alias, field))})`;
  }
  function relatedSql({ field, target, part }) {
    const other = parameters.alias();
    const link = `${column(other, target.id.name)} = ${column(alias, field.name)}`;
    return `exists (select 1 from ${quote(target.table)} ${other} where ${link} and ${whereSql(part, other, parameters)})`;
  }
  function someSql({ relation, part }) {
    const rows = relatedRows(relation, alias, parameters);
    const rule = isAlways(part) ? "" : ` and ${whereSql(part, rows.alias, parameters)}`;
    return `exists (select 1 from ${rows.from} where ${rows.condition}${rule})`;
  }
}
function opposite2(part) {
  return { kind: "not", part };
}
function visibleSql(field, alias, parameters) {
  return whereVisible(field, { alias, parameters, value: fieldSql(alias, field) });
}
function whereVisible(field, { alias, parameters, value }) {
  return isMasked(field) ? `(case when ${whereSql(field.mask, alias, parameters)} then ${value} end)` : value;
}

// packages/kit/src/sql/read/tables-read.ts
function tablesOfRead({ selection, predicate, order = [], visibility, grouping }) {
  const found = { deciding: /* @__PURE__ */ new Set(), hydrated: /* @__PURE__ */ new Set(), authorSql: /* @__PURE__ */ new Set() };
  walkSelection(found, selection);
  walkPredicate(found, predicate);
  walkOrder(found, order, visibility);
  if (grouping) walkField(found, grouping.field);
  const { deciding, hydrated, authorSql } = found;
  const own = selection.resource.table;
  return {
    tables: /* @__PURE__ */ new Set([own, ...deciding, ...hydrated]),
    authorSql,
    isOwnTableReadOnce: !deciding.has(own) && !hydrated.has(own),
    onlyHydrated: new Set([...hydrated].filter((table2) => table2 !== own && !deciding.has(table2)))
  };
}
function walkSelection(found, { fields, masked = [], relations }) {
  for (const field of fields) walkField(found, field);
  for (const { mask } of masked) walkPredicate(found, mask);
  for (const relation of relations) walkRelation(found, relation);
}
function walkRelation(found, { field, selection, predicate, toMany }) {
  const { resource: resource2 } = selection;
  if (toMany) addToMany(found, toMany.relation);
  else if (isUnrestricted(resource2, predicate)) found.hydrated.add(resource2.table);
  else found.deciding.add(resource2.table);
  walkField(found, field);
  walkPredicate(found, predicate);
  walkSelection(found, selection);
  if (toMany) walkOrder(found, toMany.order, toMany.visibility);
}
function isUnrestricted(resource2, predicate) {
  return resource2.working === void 0 && (isAlways(predicate) || predicate === activeRows(resource2));
}
function walkPredicate(found, predicate) {
  switch (predicate.kind) {
    case "all":
    case "any":
      for (const part of predicate.parts) walkPredicate(found, part);
      break;
    case "not":
      walkPredicate(found, predicate.part);
      break;
    case "compare":
      walkField(found, predicate.field);
      break;
    case "related":
      found.deciding.add(predicate.target.table);
      walkPredicate(found, predicate.part);
      break;
    case "some":
      addToMany(found, predicate.relation);
      walkPredicate(found, predicate.part);
      break;
    case "text":
      for (const field of predicate.fields) walkField(found, field);
      break;
    default:
      predicate;
  }
}
function walkOrder(found, order, visibility) {
  for (const { through, field } of order) {
    for (const step of through) walkStep(found, step, visibility);
    walkField(found, field);
  }
}
function walkStep(found, step, visibility) {
  walkField(found, step);
  if (step.target === void 0) return;
  found.deciding.add(step.target.table);
  if (visibility) walkPredicate(found, predicateOf(visibility.rows(step.target)));
}
function walkField(found, field) {
  for (const part of field.type.expression ?? []) if ("text" in part) found.authorSql.add(part.text);
  if (isMasked(field)) walkPredicate(found, field.mask);
}
function addToMany({ deciding }, relation) {
  deciding.add(relation.target.table);
  if (relation.kind === "manyToMany") deciding.add(relation.link.table);
}

// packages/kit/src/sql/search/facets.ts
var HITS = "_hits";
function facetColumns(facets, alias, parameters) {
  return facets.map(({ field }, index2) => `${visibleSql(field, alias, parameters)} as ${columnName(index2)}`);
}
function facetCounts(facets, parameters) {
  const counts = facets.map(
    (facet, index2) => facet.ranges ? rangeCounts(facet, index2, parameters) : valueCounts(facet, index2, parameters)
  );
  return `json_build_array(${counts.join(", ")})`;
}
function columnName(index2) {
  return `_facet${index2}`;
}
function valueCounts({ field, limit, sortBy }, index2, parameters) {
  const name = columnName(index2);
  const { sqlType } = field.type.element ?? field.type;
  const values = field.type.element ? `select one.value from ${HITS}, lateral (select distinct unnest(${HITS}.${name}) as value) one` : `select ${name} as value from ${HITS}`;
  const byValue = sqlType === "text" ? `value collate "C"` : "value";
  const order = sortBy === "count" ? `count(*) desc, ${byValue}` : byValue;
  const groups = `select value, count(*)::int as count, row_number() over (order by ${order}) as place from (${values}) each_value where value is not null group by value order by place limit ${parameters.add(limit)}`;
  const value = EXACT_NUMBER.test(sqlType) ? "value::text" : "value";
  const pairs = `json_agg(json_build_array(${value}, count) order by place)`;
  return `(select coalesce(${pairs}, '[]'::json) from (${groups}) value_counts)`;
}
var EXACT_NUMBER = /^(bigint|numeric)\b/;
function rangeCounts({ field, ranges = [] }, index2, parameters) {
  const name = columnName(index2);
  const type2 = field.type.sqlType;
  const counts = ranges.map(({ from, to }) => {
    const conditions = [
      ...from === void 0 ? [] : [`${name} >= ${parameters.add(from)}::${type2}`],
      ...to === void 0 ? [] : [`${name} < ${parameters.add(to)}::${type2}`]
    ];
    return `count(*) filter (where ${conditions.join(" and ") || `${name} is not null`})::int`;
  });
  return `(select json_build_array(${counts.join(", ")}) from ${HITS})`;
}

// packages/kit/src/sql/search/query/tsquery.ts
function tsquerySql(query, configuration, parameters) {
  const stems = (text2) => `to_tsquery('${configuration}', ${parameters.add(text2)})`;
  const literal = (text2) => `to_tsquery('${PLAIN_CONFIGURATION}', ${parameters.add(text2)})`;
  const rest = query.groups.filter((group) => literalText(group) === "");
  const mixed = query.groups.filter((group) => literalText(group) !== "");
  if (mixed.length === 0) {
    const text2 = parameters.add(allText(rest));
    const ignored = `to_tsquery('${PLAIN_CONFIGURATION}', ${text2})`;
    const words = `to_tsquery('${configuration}', ${text2})`;
    return `(select case when numnode(words) = 0 then ${ignored} else words end from (select ${words} as words) parts)`;
  }
  const wholes = mixed.map((group) => ({
    known: stems(anyText(group)),
    // A word that is compared as it is spelled may be longer than a stem. The vectors contain such words, too.
    spelled: literal(literalText(group)),
    isUnfinished: group.some((term) => term.isUnfinished)
  }));
  const first = rest.length === 0 ? [] : [stems(allText(rest))];
  return joined(first, wholes);
}
function joined(first, groups) {
  const last = groups.find((group) => group.isUnfinished);
  const others = groups.filter((group) => group !== last).map(({ known, spelled }) => `(${known} || ${spelled})`);
  const rest = [...first, ...others].join(" && ");
  if (last === void 0) return rest;
  if (rest === "") return `${last.known} || ${last.spelled}`;
  const words = "case when numnode(known) = 0 and numnode(rest) > 0 then rest else rest && (known || spelled) end";
  const parts = `select ${rest} as rest, ${last.known} as known, ${last.spelled} as spelled`;
  return `(select ${words} from (${parts}) parts)`;
}
function prefilterOf({ groups }) {
  const positive = groups.filter((group) => !group.some((term) => term.isNegated));
  const isOptional = positive.length < groups.length;
  const kept = isOptional ? positive.filter((group) => literalText(group) === "") : positive;
  if (kept.length === 0) return void 0;
  return { query: { groups: kept.map((group) => group.map((term) => ({ ...term, isPhrase: false }))) }, isOptional };
}
function stemsSql({ groups }, configuration, parameters) {
  return `to_tsquery('${configuration}', ${parameters.add(allText(groups))})`;
}
function spelledSql({ groups }, parameters) {
  const text2 = literalText(groups.flat());
  return text2 === "" ? void 0 : `to_tsquery('${PLAIN_CONFIGURATION}', ${parameters.add(text2)})`;
}
function allText(groups) {
  return groups.map(anyText).join(" & ");
}
function anyText(group) {
  const texts = group.map(termText);
  return texts.length === 1 ? texts.join() : `(${texts.join(" | ")})`;
}
function termText({ words, isPhrase, isNegated }) {
  const text2 = isPhrase || words.length === 1 ? quoted(words.join(" ")) : `(${words.map(quoted).join(" & ")})`;
  return isNegated ? `!${text2}` : text2;
}
function literalText(group) {
  return group.flatMap(({ words, isUnfinished, spellings = [], beginnings = [] }) => {
    const begun = isUnfinished ? [words.join(" "), ...beginnings] : beginnings;
    return [...begun.map(beginningText), ...spellings.map(spellingText)];
  }).join(" | ");
}
function spellingText(word) {
  return quoted(word);
}
function beginningText(text2) {
  return `${quoted(text2)}:*`;
}
function quoted(text2) {
  return `'${text2.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

// packages/kit/src/schema/search/searched-text.ts
function textFormOf({ isStored, type: type2 }) {
  if (!isStored) return void 0;
  if (isText(type2)) return "text";
  if (type2.operators === "list" && type2.element && isText(type2.element)) return "list";
  return type2.name === "richText" ? "document" : void 0;
}
function isText({ operators, sqlType }) {
  return operators === "text" || operators === "choice" && sqlType === "text";
}

// packages/kit/src/sql/search/search-text.ts
function fieldText(field, value) {
  switch (textFormOf(field)) {
    case "list":
      return `array_to_string(${value}, E'\\n')`;
    case "document":
      return documentText(value);
    default:
      return value;
  }
}
function contentText(alias, search, { locale }) {
  return search.content && `(${column(alias, search.content.column)}->>'${locale}')`;
}
function documentText(document) {
  const words = "string_agg(coalesce(_part->>'text', ' '), '')";
  const paragraph = `(select ${words} from jsonb_array_elements(_node->'content') _part)`;
  return `(select string_agg(${paragraph}, E'\\n') from jsonb_path_query(${document}, '${WITH_TEXT}', silent => true) _node)`;
}
var WITH_TEXT = 'strict $.** ? (exists (@.content[*] ? (@.type == "text")))';

// packages/kit/src/sql/search/highlights.ts
function highlightsQuery({ groups }) {
  const terms = groups.flat().filter((term) => !term.isNegated);
  return terms.length === 0 ? void 0 : { groups: [terms] };
}
var START = "";
var STOP = "";
var SEPARATOR = "";
var MARKS = `${START}${STOP}${SEPARATOR}`;
var STAND_INS = "\x07\b";
var MAX_WHOLE_CHARACTERS = 200;
var MAX_CHARACTERS2 = 1e5;
var SELECTORS = `StartSel="${START}", StopSel="${STOP}", FragmentDelimiter="${SEPARATOR}"`;
var WHOLE = `HighlightAll=true, ${SELECTORS}`;
var SNIPPETS = `MaxFragments=3, MinWords=8, MaxWords=24, ${SELECTORS}`;
function highlightsSql({ fields, configuration, query }, alias, parameters) {
  const stems = `(select ${stemsSql(query, configuration, parameters)})`;
  const spelling = spelledSql(query, parameters);
  const spelled = spelling && `(select ${spelling})`;
  const whole = parameters.add(WHOLE);
  const snippets = parameters.add(SNIPPETS);
  const from = parameters.add(CONNECTORS + MARKS + STAND_INS);
  const to = parameters.add(STAND_INS);
  const start = spelled && parameters.add(START);
  const marked = fields.map((field) => {
    const text2 = fieldText(field, visibleSql(field, alias, parameters));
    const plain = `select translate(left(${text2}, ${MAX_CHARACTERS2}), ${from}, ${to}) as plain offset 0`;
    const options = `case when length(plain) <= ${MAX_WHOLE_CHARACTERS} then ${whole} else ${snippets} end`;
    const once = `select plain, ts_headline('${configuration}', plain, ${stems}, ${options}) as marked from (${plain}) _text`;
    if (spelled === void 0) return `(select marked from (${once}) _once)`;
    const isChosen = `length(plain) <= ${MAX_WHOLE_CHARACTERS} or position(${start} in marked) > 0`;
    const again = (text3, how) => `ts_headline('${PLAIN_CONFIGURATION}', ${text3}, ${spelled}, ${how})`;
    const twice = `case when ${isChosen} then ${again("marked", whole)} else ${again("plain", snippets)} end`;
    return `(select ${twice} from (${once} offset 0) _once)`;
  });
  return `json_build_array(${marked.join(", ")})`;
}
var ENTITIES = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  [START]: "<mark>",
  [STOP]: "</mark>",
  ...Object.fromEntries([...STAND_INS].map((standIn, place) => [standIn, CONNECTORS[place] ?? ""]))
};
var ESCAPED = new RegExp(`[&<>"'${START}${STOP}${STAND_INS}]`, "g");

// packages/kit/src/sql/search/hits.ts
function selectHits(read) {
  const parameters = new Parameters();
  const found = foundSql(read, parameters);
  const facets = read.facets.length === 0 ? "'[]'::json" : facetCounts(read.facets, parameters);
  const page = pageSql(read, parameters);
  return {
    text: `with ${HITS} as materialized (${found}), ${PAGE} as materialized (${page.rows}) select (select count(*)::int from ${HITS}), ${facets}, (${page.list})`,
    values: parameters.values,
    tablesRead: () => tablesOfRead({ selection: { resource: read.resource, fields: [], relations: [] }, predicate: read.readable })
  };
}
var PAGE = "_page";
function foundSql({ resource: resource2, readable: readable2, match, facets }, parameters) {
  const alias = parameters.alias();
  const { join, condition, score } = match(alias, parameters);
  const columns = [
    `${column(alias, resource2.id.name)} as id`,
    `${score} as score`,
    `${resource2.createdAt ? column(alias, resource2.createdAt.name) : "null::timestamptz"} as created`,
    ...facetColumns(facets, alias, parameters)
  ];
  const where = `${whereSql(readable2, alias, parameters)} and ${condition}`;
  return `select ${columns.join(", ")} from ${quote(resource2.table)} ${alias}${join} where ${where}`;
}
function pageSql({ resource: resource2, window, highlighted }, parameters) {
  const order = `score desc, ${resource2.createdAt ? "created desc, id desc" : "id"}`;
  const limits = `limit ${parameters.add(window.limit)} offset ${parameters.add(window.offset)}`;
  const place = `row_number() over (order by ${order}) as place`;
  const rows = `select id, score, created, ${place} from ${HITS} order by place ${limits}`;
  const time = "(extract(epoch from created) * 1000000)::bigint";
  const found = `${PAGE}.id::text, ${PAGE}.score, ${time}`;
  if (highlighted === void 0) {
    return {
      rows,
      list: `select coalesce(json_agg(json_build_array(${found}) order by place), '[]'::json) from ${PAGE}`
    };
  }
  const alias = parameters.alias();
  const marked = highlightsSql(highlighted, alias, parameters);
  const joined2 = `${PAGE} join ${quote(resource2.table)} ${alias} on ${column(alias, resource2.id.name)} = ${PAGE}.id`;
  const list = `json_agg(json_build_array(${found}, ${marked}) order by place)`;
  return { rows, list: `select coalesce(${list}, '[]'::json) from ${joined2}` };
}

// packages/kit/src/sql/search/score.ts
function scoreSql({ vector, words, weights: [a, b, c, d] }) {
  return `ts_rank('{${d || SPELLED_FACTOR}, ${c}, ${b}, ${a}}', ${vector}, ${words}, ${NORMALIZATION})::double precision`;
}
var NORMALIZATION = 1;
var SPELLED_FACTOR = 0.1;

// packages/kit/src/sql/search/text-match.ts
function wordsMatch(text2, query, { labelWeights: weights }) {
  return (alias, parameters) => {
    if (query.groups.length === 0) return { join: "", condition: "false", score: "0::double precision" };
    const words = `(select ${tsquerySql(query, text2.index.configuration, parameters)})`;
    if (text2.isIndexed) {
      const vector2 = column(alias, text2.index.vector);
      return { join: "", condition: `${vector2} @@ ${words}`, score: scoreSql({ vector: vector2, words, weights }) };
    }
    const seen = parameters.alias();
    const prefilter = prefilterCondition(text2, prefilterOf(query), { alias, parameters });
    const vector = `select ${visibleVector(text2, alias, parameters)} as vector offset 0`;
    return {
      join: ` cross join lateral (${vector}) ${seen}`,
      condition: `${prefilter}${seen}.vector @@ ${words}`,
      score: scoreSql({ vector: `${seen}.vector`, words, weights })
    };
  };
}
function visibleVector({ fields, content, index: index2 }, alias, parameters) {
  const visible = new Map(fields.map(({ field }) => [field.name, field]));
  const parts = index2.fields.map(({ field: { name }, label }) => {
    const field = visible.get(name);
    return { label, text: field && fieldText(field, visibleSql(field, alias, parameters)) };
  });
  const ofContent = content ? [{ label: content.label, text: contentText(alias, { content }, index2) }] : [];
  return vectorOf([...parts, ...ofContent], index2.configuration);
}
function prefilterCondition({ index: index2 }, prefilter, { alias, parameters }) {
  if (prefilter === void 0) return "";
  const { query, isOptional } = prefilter;
  const vector = column(alias, index2.vector);
  if (!isOptional) return `${vector} @@ (select ${tsquerySql(query, index2.configuration, parameters)}) and `;
  const words = `(select ${stemsSql(query, index2.configuration, parameters)})`;
  return `(numnode(${words}) = 0 or ${vector} @@ ${words}) and `;
}

// packages/kit/src/sql/search/query/search-query.ts
var MAX_QUERY_WORDS = 32;
var MAX_WORD_LENGTH = 100;
function parseQuery(text2) {
  const tokens = limitWords(tokensOf(text2));
  const groups = [];
  let isAlternative = false;
  for (const [index2, token] of tokens.entries()) {
    const isBetween2 = groups.length > 0 && index2 + 1 < tokens.length;
    if (token.isOr && isBetween2 && !isAlternative) {
      isAlternative = true;
      continue;
    }
    const group = groups.at(-1);
    if (isAlternative && group) group.push(token.term);
    else groups.push([token.term]);
    isAlternative = false;
  }
  return { groups };
}
var TOKEN = /(?<minus>(?<=^|\s)-(?!-))?(?:"(?<phrase>[^"]*)"|(?<word>[^\s"]+))/gu;
function tokensOf(text2) {
  const plain = text2.replace(/[“”„‟«»]/gu, '"');
  return [...plain.matchAll(TOKEN)].flatMap((found) => {
    const { minus, phrase, word } = found.groups ?? {};
    const isNegated = minus !== void 0;
    if (phrase !== void 0) return phraseTokens(wordsIn(phrase), isNegated);
    const isLast = found.index + found[0].length === plain.length;
    return wordTokens(wordsIn(word ?? ""), { isNegated, isLast, isOr: word === "OR" && !isNegated });
  });
}
function phraseTokens(words, isNegated) {
  return words.length === 0 ? [] : [{ term: { words, isPhrase: true, isNegated, isUnfinished: false }, isOr: false }];
}
function wordTokens(words, { isNegated, isLast, isOr }) {
  if (isNegated) return phraseTokens(words, true);
  return words.map((word, index2) => {
    const isUnfinished = isLast && index2 === words.length - 1;
    return { term: { words: [word], isPhrase: false, isNegated, isUnfinished }, isOr };
  });
}
var SEPARATORS = /[\s_@/~,;!()[\]{}<>|*"^`´…·•。、，！？（）「」]+/u;
function wordsIn(text2) {
  return text2.split(SEPARATORS).flatMap((part) => /[\p{L}\p{N}]/u.test(part) ? [shortened(part)] : []);
}
function shortened(word) {
  return word.length <= MAX_WORD_LENGTH ? word : [...word].slice(0, MAX_WORD_LENGTH).join("");
}
function limitWords(tokens) {
  const kept = [];
  let room = MAX_QUERY_WORDS;
  for (const { term, isOr } of tokens) {
    if (room === 0) break;
    const words = term.words.slice(0, room);
    room -= words.length;
    kept.push({ term: { ...term, words }, isOr });
  }
  return kept;
}

// packages/kit/explain.tmp.ts
var db = new pg.Client({ host: "127.0.0.1", port: 54999, user: "postgres" });
await db.connect();
for (const s of PREPARE_VECTOR_FUNCTION) await db.query(s);
await db.query(`create table if not exists big (id uuid primary key default gen_random_uuid(), title text, body text, section text, kind text, "createdAt" timestamptz default now(), _search tsvector)`);
if ((await db.query("select count(*)::int n from big")).rows[0].n === 0) {
  await db.query(`insert into big (title, body, section, kind, "createdAt") select 'word'||(random()*2000)::int||' word'||(random()*200)::int, (select string_agg('word'||(random()*random()*20000)::int, ' ') from generate_series(1, 80 + g.n % 2)), 's'||(g.n%7), case when g.n%3=0 then 'secret' else 'open' end, now() - g.n * interval '1 second' from generate_series(1,100000) g(n)`);
  await db.query(`update big set _search = _kit_search_vector('_kit_english', array[title, body], '{A,B}')`);
  await db.query(`create index on big using gin (_search)`);
  await db.query("vacuum analyze big");
}
var type = { sqlType: "text", operators: "text" };
var f = (name) => ({ name, type, localized: void 0, isStored: true });
var id = f("id");
var title = f("title");
var body = f("body");
var createdAt = f("createdAt");
var section = f("section");
var resource = { table: "big", id, createdAt, working: void 0 };
var readable = { kind: "compare", field: f("kind"), operator: { sql: ({ column: column2, parameters }) => `${column2} = ${parameters.add("open")}` }, operand: "open" };
var index = { locale: void 0, vector: "_search", configuration: "_kit_english", fields: [{ field: title, label: "A" }, { field: body, label: "B" }] };
var text = { fields: index.fields, content: void 0, index, isIndexed: true };
for (const [q, indexed] of [["word12 word500 ", true], ["word12 word50", true], ["word7", true], ["word12 word500 ", false]]) {
  const query = parseQuery(q);
  const t = { ...text, isIndexed: indexed };
  const statement = selectHits({ resource, readable, match: wordsMatch(t, query, { labelWeights: [1, 0.5, 0, 0] }), window: { limit: 10, offset: 0 }, facets: [{ field: section, limit: 10, sortBy: "count" }], highlighted: { fields: [title, body], configuration: "_kit_english", query: highlightsQuery(query) } });
  await db.query(statement);
  const t0 = performance.now();
  const r = await db.query(statement);
  const ms = performance.now() - t0;
  console.log("=====", q, indexed, Object.values(r.rows[0])[0], ms.toFixed(1), "ms");
  const plan = await db.query({ text: "explain (analyze, costs off, timing on) " + statement.text, values: statement.values });
  console.log(plan.rows.map((x) => x["QUERY PLAN"].slice(0, 150)).join("\n"));
}
await db.end();
