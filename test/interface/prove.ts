import { test } from "vitest"
import { SENTENCES, type SentenceNumber } from "./sentences.ts"

/** Defines the test of a statement; the test's name is the statement with its number. */
export function prove(number: SentenceNumber, proof: () => Promise<void> | void): void {
  test(`${number} ${SENTENCES[number]}`, proof)
}
