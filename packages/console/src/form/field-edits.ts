import { pathText } from "./path.ts"

/** A text that is no value of its field yet, such as a number that is typed to the half. */
export interface UnparsedText {
  readonly text: string
  readonly problem: string
}

/** The value that a focused field shows, and the value of the server from which it comes. */
interface HeldField {
  readonly shown: unknown
  readonly base: unknown
}

/** The changes of a person in some fields, and the values that these fields show meanwhile. */
export class FieldEdits {
  readonly values = new Map<string, unknown>()
  /** For each edited field, the value from which the edit started. */
  readonly bases = new Map<string, unknown>()
  readonly held = new Map<string, HeldField>()
  /** By the paths of the texts. */
  readonly unparsed = new Map<string, UnparsedText>()

  /** Returns the fields that are not as the server has them, also those whose text is no value yet. */
  fields(): string[] {
    return [...new Set([...this.values.keys(), ...[...this.unparsed.keys()].map(fieldOf)])]
  }

  drop(field: string): void {
    this.values.delete(field)
    this.bases.delete(field)
  }

  /** Drops the texts at and below a path, because a value takes their place. */
  dropUnparsed(path: readonly (string | number)[]): void {
    const text = pathText(path)
    for (const unparsed of this.unparsed.keys()) {
      if (unparsed === text || unparsed.startsWith(`${text}.`)) this.unparsed.delete(unparsed)
    }
  }
}

function fieldOf(path: string): string {
  return path.split(".", 1)[0] ?? path
}
