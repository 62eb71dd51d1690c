import { createClient } from "kit/client"
import { useLive, useMutation } from "kit/react"
import { createRoot } from "react-dom/client"
import type { AppConfig } from "../../src/generated/index.ts"
import "./todo.css"

const { todos } = createClient<AppConfig>({ baseURL: location.origin, basePath: "/api" }).collections

function Todos() {
  const list = useLive(todos, { orderBy: { createdAt: "asc" }, limit: 100 })
  const add = useMutation(todos.create, { optimistic: (view, todo) => view.insert(todos, { done: false, ...todo }) })
  const change = useMutation(todos.updateById, { optimistic: (view, { id, data }) => view.patch(todos, id, data) })
  const remove = useMutation(todos.deleteById, { optimistic: (view, { id }) => view.remove(todos, id) })
  const error = list.error ?? add.error ?? change.error ?? remove.error
  return (
    <>
      <h1>Todo</h1>
      <form action={(form) => void add.runSafe({ title: String(form.get("title")) })}>
        <input name="title" aria-label="New todo" placeholder="What is to be done?" maxLength={200} required />
        <button type="submit">Add</button>
      </form>
      <ul aria-busy={list.status === "pending"}>
        {list.data?.docs.map(({ id, title, done }) => (
          <li key={id}>
            <label>
              <input type="checkbox" checked={done} onChange={() => change.runSafe({ id, data: { done: !done } })} />
              {done ? <s>{title}</s> : title}
            </label>
            <button type="button" aria-label={`Delete ${title}`} onClick={() => remove.runSafe({ id })}>
              ×
            </button>
          </li>
        ))}
      </ul>
      <p role="status">{error?.message}</p>
    </>
  )
}

createRoot(document.querySelector("main") ?? document.body).render(<Todos />)
