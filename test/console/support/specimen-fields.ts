import type { FormField } from "./form-fields.ts"
import type { Role } from "./people.ts"

const always = { isClearable: false }
const clearable = { isClearable: true }

/** Every plain type of field, with what is entered and what is stored then. */
export const SPECIMEN_FIELDS: readonly FormField[] = [
  {
    name: "name",
    label: "Name",
    kind: "text",
    entered: ["Granite", "Granite, grey"],
    stored: ["Granite", "Granite, grey"],
    ...always,
  },
  {
    name: "caption",
    label: "Caption",
    kind: "text",
    entered: ["From the north", "From the west"],
    stored: ["From the north", "From the west"],
    ...clearable,
  },
  {
    name: "about",
    label: "About",
    kind: "text",
    entered: ["Hard.", "Very hard.\nAnd heavy."],
    stored: ["Hard.", "Very hard.\nAnd heavy."],
    ...clearable,
  },
  { name: "remark", label: "Remark", kind: "text", entered: ["One", "Two"], stored: ["One", "Two"], ...clearable },
  {
    name: "contact",
    label: "Contact",
    kind: "text",
    entered: ["a@example.com", "b@example.com"],
    stored: ["a@example.com", "b@example.com"],
    ...clearable,
  },
  {
    name: "site",
    label: "Site",
    kind: "text",
    entered: ["https://example.com/a", "https://example.com/b"],
    stored: ["https://example.com/a", "https://example.com/b"],
    ...clearable,
  },
  { name: "whole", label: "Whole number", kind: "text", entered: ["0", "100"], stored: [0, 100], ...clearable },
  { name: "ratio", label: "Ratio", kind: "text", entered: ["0.5", "0.75"], stored: [0.5, 0.75], ...clearable },
  {
    name: "big",
    label: "Big number",
    kind: "text",
    entered: ["9007199254740993", "-9007199254740993"],
    stored: ["9007199254740993", "-9007199254740993"],
    ...clearable,
  },
  {
    name: "price",
    label: "Price",
    kind: "text",
    entered: ["10.50", "99999999.99"],
    stored: ["10.50", "99999999.99"],
    ...clearable,
  },
  { name: "isActive", label: "Active", kind: "tick", entered: ["no", "yes"], stored: [false, true], ...always },
  { name: "isChecked", label: "Checked", kind: "tick", entered: ["yes", "no"], stored: [true, false], ...clearable },
  {
    name: "day",
    label: "Day",
    kind: "segments",
    entered: ["2026-11-02", "2027-12-03"],
    stored: ["2026-11-02", "2027-12-03"],
    ...clearable,
  },
  {
    name: "at",
    label: "Time",
    kind: "segments",
    entered: ["10:30", "11:45"],
    stored: ["10:30:00", "11:45:00"],
    ...clearable,
  },
  {
    name: "moment",
    label: "Moment",
    kind: "segments",
    entered: ["2026-11-02T09:30", "2027-12-03T08:45"],
    stored: ["2026-11-02T09:30:00.000Z", "2027-12-03T08:45:00.000Z"],
    ...clearable,
  },
  { name: "shade", label: "Shade", kind: "choice", entered: ["Dark", "Clear"], stored: ["dark", "clear"], ...always },
  {
    name: "marks",
    label: "Marks",
    kind: "choices",
    entered: ["Rare, Signed", "Signed, Loaned"],
    stored: [
      ["rare", "signed"],
      ["rare", "loaned"],
    ],
    ...clearable,
  },
  {
    name: "settings",
    label: "Settings",
    kind: "text",
    entered: ['{ "weight": 12 }', '{ "weight": 13 }'],
    stored: [{ weight: 12 }, { weight: 13 }],
    ...clearable,
  },
  { name: "fee", label: "Fee", kind: "text", entered: ["15.00", "16.00"], stored: ["15.00", "16.00"], ...clearable },
  { name: "grade", label: "Grade", kind: "text", entered: ["1", "5"], stored: [1, 5], ...clearable },
]

/** The fields that a role may write, by the rules of the app. */
export function writableBy(role: Role): readonly FormField[] {
  const hidden: Readonly<Record<Role, readonly string[]>> = {
    admin: [],
    editor: ["grade"],
    author: ["grade", "fee"],
    viewer: [],
  }
  return role === "viewer" ? [] : SPECIMEN_FIELDS.filter(({ name }) => !hidden[role].includes(name))
}

/** Values that a limit refuses, and what the page says of them. */
export const REFUSED: readonly (readonly [label: string, value: string, says: RegExp])[] = [
  ["Name", "x", /at least 2/i],
  ["Name", "x".repeat(61), /at most 60/i],
  ["Name", "", /needed|required/i],
  ["Code", "granite", /form/i],
  ["Caption", "x".repeat(41), /at most 40/i],
  ["About", "x".repeat(301), /at most 300/i],
  ["Contact", "nobody", /e-?mail/i],
  ["Site", "example", /http|address|url/i],
  ["Whole number", "-1", /at least 0/i],
  ["Whole number", "101", /at most 100/i],
  ["Whole number", "1.5", /whole number/i],
  ["Whole number", "many", /number/i],
  ["Ratio", "1.01", /at most 1/i],
  ["Big number", "9007199254740994", /at most/i],
  ["Price", "1.005", /2 digits/i],
  ["Price", "-0.01", /at least 0/i],
  ["Grade", "6", /at most 5/i],
  ["Settings", "{ weight }", /JSON/],
]
