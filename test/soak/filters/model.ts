// The app of the experiment in filters.ts: anonymous callers may read it, and change it in bulk.
import { collection } from "kit"

const OPEN = { read: true, create: true, update: true, delete: true }

const authors = collection("authors")
  .fields(({ f }) => ({
    name: f.text().unique(),
    bio: f.textarea(),
    mentor: f.relation("authors"),
    books: f.relation("books").hasMany({ via: "author" }),
  }))
  .title("name")
  .access(OPEN)

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text().required(),
    pages: f.number().integer(),
    genre: f.select(["novel", "poem", "essay"]),
    author: f.relation("authors"),
    reviews: f.relation("reviews").hasMany({ via: "book" }),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
  }))
  .title("title")
  .access(OPEN)

const reviews = collection("reviews")
  .fields(({ f }) => ({
    text: f.textarea(),
    stars: f.number().integer(),
    book: f.relation("books"),
    reader: f.relation("readers"),
  }))
  .title("text")
  .access(OPEN)

const readers = collection("readers")
  .fields(({ f }) => ({
    name: f.text(),
    age: f.number().integer(),
    reviews: f.relation("reviews").hasMany({ via: "reader" }),
  }))
  .title("name")
  .access(OPEN)

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), books: f.relation("books").manyToMany({ through: "tagging" }) }))
  .title("name")
  .access(OPEN)

export const MODEL = {
  collections: [authors, books, reviews, readers, tags],
  // The duration of each request is measured; the number of requests is not limited.
  config: { limits: { rate: false as const } },
}

/** The target of each relation of a collection. */
export const RELATIONS: Record<string, Record<string, { target: string; isMany: boolean }>> = {
  authors: { mentor: one("authors"), books: many("books") },
  books: { author: one("authors"), reviews: many("reviews"), tags: many("tags") },
  reviews: { book: one("books"), reader: one("readers") },
  readers: { reviews: many("reviews") },
  tags: { books: many("books") },
}

function one(target: string) {
  return { target, isMany: false }
}

function many(target: string) {
  return { target, isMany: true }
}
