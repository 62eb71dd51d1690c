import { inspect } from "node:util"
import { collection, type HandlerContext, route, type Session } from "kit"
import { service } from "kit/services"
import { describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a" } }

/** Without generated types the context does not declare its services. */
function held(context: HandlerContext): Record<string, any> {
  return context as unknown as Record<string, any>
}

/** A service that logs its creation and disposal. */
function noted(log: string[], name: string, lifecycle: "singleton" | "request" = "request") {
  let count = 0
  return service({
    lifecycle,
    create: () => {
      count++
      log.push(`+${name}${count}`)
      return { id: `${name}${count}` }
    },
    dispose: ({ id }) => void log.push(`-${id}`),
  })
}

/** As `noted`, for a service that uses its context. */
function acting(log: string[], name: string) {
  let count = 0
  return service({
    lifecycle: "request",
    create: (context) => {
      count++
      log.push(`+${name}${count}`)
      return { id: `${name}${count}`, context }
    },
    dispose: ({ id }) => void log.push(`-${id}`),
  })
}

const post = (app: TestApp, path: string, session?: Session) =>
  app.fetch(path, { method: "POST", ...(session && { session }) })

describe("a singleton", () => {
  test("is made at first use, once, and disposed of at the stop in reverse order", async () => {
    const log: string[] = []
    const use = route().handler((context) => [held(context)["a"].id, held(context)["b"].id])
    const services = {
      a: noted(log, "a", "singleton"),
      b: noted(log, "b", "singleton"),
      c: noted(log, "c", "singleton"),
    }
    const app = await testApp({ routes: { use, idle: route().handler(() => 0) }, services })

    await post(app, "/idle")
    expect(log).toEqual([])
    await Promise.all([post(app, "/use"), post(app, "/use")])
    const answer = await post(app, "/use")
    expect(log).toEqual(["+a1", "+b1"])
    await app[Symbol.asyncDispose]()

    expect(answer.body).toEqual(["a1", "b1"])
    expect(log).toEqual(["+a1", "+b1", "-b1", "-a1"])
  })

  test("that cannot be made fails the request, and is tried again by the next one", async () => {
    let attempts = 0
    const shaky = service({
      lifecycle: "singleton",
      create: () => {
        attempts++
        if (attempts === 1) throw new Error("not yet")
        return { attempts }
      },
    })
    await using app = await testApp({
      routes: { use: route().handler((context) => held(context)["shaky"]) },
      services: { shaky },
    })

    const answers = [await post(app, "/use"), await post(app, "/use"), await post(app, "/use")]

    expect(answers.map(({ status, body }) => [status, body.attempts])).toEqual([
      [500, undefined],
      [200, 2],
      [200, 2],
    ])
  })

  test("may take its time: the context holds a promise, and a failure is tried again", async () => {
    let attempts = 0
    const disposed: unknown[] = []
    const slow = service({
      lifecycle: "singleton",
      create: async () => {
        attempts++
        await Promise.resolve()
        if (attempts === 1) throw new Error("not yet")
        return { attempts }
      },
      dispose: (instance) => void disposed.push(instance.attempts),
    })
    const use = route().handler(async (context) => await held(context)["slow"])
    const app = await testApp({ routes: { use }, services: { slow } })

    const answers = [await post(app, "/use"), await post(app, "/use")]
    await app[Symbol.asyncDispose]()

    expect(answers.map(({ status }) => status)).toEqual([500, 200])
    expect(disposed).toEqual([2])
  })

  test("that asks for what lives for a request is told so", async () => {
    const services = {
      memory: service({ lifecycle: "singleton", create: (context) => held(context)["visit"] }),
      visit: service({ lifecycle: "request", create: () => ({}) }),
    }
    await using app = await testApp({
      routes: { use: route().handler((context) => held(context)["memory"]) },
      services,
    })

    const answer = await post(app, "/use")

    expect(answer.status).toBe(500)
    expect(inspect(app.logged.at(-1))).toContain(
      'The service "memory" is a singleton and depends on "visit", which is created for each request.',
    )
  })

  test("has the rights of nobody, whoever asks first", async () => {
    const secrets = collection("secrets")
      .fields(({ f }) => ({ text: f.text() }))
      .access({ read: ({ session }) => session !== null })
    const reader = service({
      lifecycle: "singleton",
      create: ({ session, collections, asSystem }) => ({
        session,
        read: () => collections["secrets"]?.count(),
        readAll: () => asSystem().collections["secrets"]?.count(),
      }),
    })
    const routes = {
      session: route().handler((context) => held(context)["reader"].session),
      read: route().handler((context) => held(context)["reader"].read()),
      "read-all": route().handler((context) => held(context)["reader"].readAll()),
    }
    await using app = await testApp({ resources: [secrets], routes, services: { reader } })

    const answers = [await post(app, "/session", ann), await post(app, "/read", ann), await post(app, "/read-all")]

    expect(answers.map(({ status, body }) => [status, body?.error?.code ?? body])).toEqual([
      [200, null],
      [401, "UNAUTHORIZED"],
      [200, 0],
    ])
  })
})

describe("a request service", () => {
  test("is one for each request, made when it is used and disposed of in reverse order", async () => {
    const log: string[] = []
    const use = route().handler((context) => {
      const { a, b } = held(context)
      return [a.id, b.id, held(context)["a"] === a]
    })
    const services = { a: noted(log, "a"), b: noted(log, "b"), c: noted(log, "c") }
    await using app = await testApp({ routes: { use }, services })

    const first = await post(app, "/use")
    const second = await post(app, "/use")

    expect([first.body, second.body]).toEqual([
      ["a1", "b1", true],
      ["a2", "b2", true],
    ])
    expect(log).toEqual(["+a1", "+b1", "-b1", "-a1", "+a2", "+b2", "-b2", "-a2"])
  })

  test("is disposed of before what it was made with", async () => {
    const log: string[] = []
    const services = {
      outer: service({
        lifecycle: "request",
        create: (context) => {
          const inner = held(context)["inner"]
          log.push("+outer")
          return { inner }
        },
        dispose: () => void log.push("-outer"),
      }),
      inner: noted(log, "inner"),
    }
    await using app = await testApp({
      routes: { use: route().handler((context) => held(context)["outer"].inner.id) },
      services,
    })

    const answer = await post(app, "/use")

    expect(answer.body).toBe("inner1")
    expect(log).toEqual(["+inner1", "+outer", "-outer", "-inner1"])
  })

  test("is disposed of after an error too; a failing dispose is logged and changes nothing", async () => {
    const log: string[] = []
    const services = {
      a: noted(log, "a"),
      bad: service({
        lifecycle: "request",
        create: () => ({}),
        dispose: () => {
          throw new Error("cannot go")
        },
      }),
    }
    const use = route().handler((context) => {
      const { a, bad } = held(context)
      if (a && bad) throw new Error("bug")
    })
    const fine = route().handler((context) => Object.keys({ ...held(context)["a"], ...held(context)["bad"] }))
    await using app = await testApp({ routes: { use, fine }, services })

    const failed = await post(app, "/use")
    const answered = await post(app, "/fine")

    expect([failed.status, answered.status, answered.body]).toEqual([500, 200, ["id"]])
    expect(log).toEqual(["+a1", "-a1", "+a2", "-a2"])
    expect(app.logged.map(({ message }) => message)).toContain('The service "bad" could not be disposed of.')
  })

  test("that needs itself through another one is named with it", async () => {
    const services = {
      hen: service({ lifecycle: "request", create: (context) => ({ of: held(context)["egg"] }) }),
      egg: service({ lifecycle: "request", create: (context) => ({ of: held(context)["hen"] }) }),
      slowHen: service({ lifecycle: "singleton", create: async (context) => ({ of: await held(context)["slowEgg"] }) }),
      slowEgg: service({ lifecycle: "singleton", create: async (context) => ({ of: await held(context)["slowHen"] }) }),
    }
    const routes = {
      use: route().handler((context) => held(context)["hen"]),
      wait: route().handler((context) => held(context)["slowHen"]),
    }
    await using app = await testApp({ routes, services })

    const answers = [await post(app, "/use"), await post(app, "/wait")]

    expect(answers.map(({ status }) => status)).toEqual([500, 500])
    const messages = app.logged.map(({ fields }) => String((fields as { error: Error }).error))
    expect(messages[0]).toContain("Services hen → egg → hen depend on each other.")
    expect(messages[1]).toContain("Services slowHen → slowEgg → slowHen depend on each other.")
  })

  test("may use another one later that uses it", async () => {
    const services = {
      ping: service({
        lifecycle: "request",
        create: (context) => ({ hit: (n: number): number => (n === 0 ? 0 : 1 + held(context)["pong"].hit(n - 1)) }),
      }),
      pong: service({
        lifecycle: "request",
        create: (context) => {
          const { ping } = held(context)
          return { hit: (n: number): number => (n === 0 ? 0 : 1 + ping.hit(n - 1)) }
        },
      }),
    }
    await using app = await testApp({
      routes: { play: route().handler((context) => held(context)["ping"].hit(5)) },
      services,
    })

    const answer = await post(app, "/play")

    expect(answer.body).toBe(5)
  })
})

describe("a request service that takes the context", () => {
  test("is made anew for a transaction and goes with it, committed or not", async () => {
    const log: string[] = []
    const work = route().handler(async (context) => {
      const outside = held(context)["unit"].id
      const inside = await context.transaction((inner) =>
        Promise.resolve([held(inner)["unit"].id, held(inner)["unit"].id]),
      )
      log.push("between")
      await context.transaction((inner) => Promise.reject(new Error(held(inner)["unit"].id))).catch(() => {})
      return [outside, ...inside, held(context)["unit"].id]
    })
    await using app = await testApp({ routes: { work }, services: { unit: acting(log, "u") } })

    const answer = await post(app, "/work")

    expect(answer.body).toEqual(["u1", "u2", "u2", "u1"])
    expect(log).toEqual(["+u1", "+u2", "-u2", "between", "+u3", "-u3", "-u1"])
  })

  test("a transaction leaves nothing behind, however many there are", async () => {
    const log: string[] = []
    const work = route().handler(async (context) => {
      for (let turn = 0; turn < 50; turn++)
        await context.transaction((inner) => Promise.resolve(held(inner)["unit"].id))
    })
    await using app = await testApp({ routes: { work }, services: { unit: acting(log, "u") } })

    const answer = await post(app, "/work")

    expect(answer.status).toBe(200)
    expect(log.slice(-2)).toEqual(["+u50", "-u50"])
    expect(log.length).toBe(100)
  })

  test("one that takes none is the same within", async () => {
    const log: string[] = []
    const work = route().handler((context) =>
      context.transaction((inner) => Promise.resolve(held(inner)["plain"] === held(context)["plain"])),
    )
    await using app = await testApp({ routes: { work }, services: { plain: noted(log, "p") } })

    const answer = await post(app, "/work")

    expect(answer.body).toBe(true)
    expect(log).toEqual(["+p1", "-p1"])
  })

  test("in a hook it writes in the transaction of the write, and is rolled back with it", async () => {
    const log: string[] = []
    const audit = collection("audit").fields(({ f }) => ({ text: f.text() }))
    const posts = collection("posts")
      .fields(({ f }) => ({ title: f.text() }))
      .access({ create: true })
      .hooks({
        afterChange: async (context) => {
          await held(context)["auditor"].context.asSystem().collections.audit.create({ text: "written" })
          if (context.row["title"] === "bad") throw new Error("no")
        },
      })
    await using app = await testApp({ resources: [audit, posts], services: { auditor: acting(log, "a") } })

    const bad = await app.fetch("/posts", { method: "POST", body: '{"title":"bad"}' })
    const good = await app.fetch("/posts", { method: "POST", body: '{"title":"good"}' })

    expect([bad.status, good.status]).toEqual([500, 201])
    expect(await app.database.query("select text from audit")).toEqual([{ text: "written" }])
    expect(log).toEqual(["+a1", "-a1", "+a2", "-a2"])
  })

  test("does not carry the rights of one context into another", async () => {
    const secrets = collection("secrets").fields(({ f }) => ({ text: f.text() }))
    const store = service({
      lifecycle: "request",
      create: ({ collections }) => ({ count: () => collections["secrets"]?.count() }),
    })
    const use = route().handler(async (context) => {
      const asSystem = await held(context.asSystem())["store"].count()
      return [asSystem, await held(context)["store"].count()]
    })
    await using app = await testApp({ resources: [secrets], routes: { use }, services: { store } })

    const answer = await post(app, "/use", ann)

    expect(answer.status).toBe(403)
  })

  test("a rule that asks for itself through a service is found out", async () => {
    const posts = collection("posts")
      .fields(({ f }) => ({ title: f.text() }))
      .access({ read: async (context) => (await held(context)["counter"].count()) >= 0 })
    const counter = service({
      lifecycle: "request",
      create: ({ collections }) => ({ count: () => collections["posts"]?.count() }),
    })
    await using app = await testApp({ resources: [posts], services: { counter } })

    const answer = await app.fetch("/posts", { session: ann })

    expect(answer.status).toBe(403)
    expect(app.logged.map(({ message }) => message)).toContain('The read rule of "posts" failed; access is denied.')
  })

  test("calls in this process are requests of their own", async () => {
    const log: string[] = []
    const posts = collection("posts")
      .fields(({ f }) => ({ title: f.text() }))
      .access({ read: (context) => held(context)["a"].id !== "" })
    await using app = await testApp({ resources: [posts], services: { a: noted(log, "a") } })
    const { collections } = app.app.as(ann)

    await collections["posts"]?.count()
    await collections["posts"]?.find()

    expect(log).toEqual(["+a1", "-a1", "+a2", "-a2"])
  })
})

describe("a stream", () => {
  function streaming(log: string[]) {
    let pulls = 0
    let tellCancelled = () => {}
    const cancelled = new Promise<void>((resolve) => {
      tellCancelled = resolve
    })
    const stream = route()
      .get()
      .raw()
      .handler((context) => {
        const { a } = held(context)
        const isEndless = new URL(context.request.url).searchParams.has("endless")
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            pulls++
            controller.enqueue(new TextEncoder().encode(`${a.id} `))
            if (!isEndless && pulls === 3) controller.close()
          },
          cancel() {
            log.push("cancelled")
            tellCancelled()
          },
        })
        return new Response(body, { headers: { "content-type": "text/plain" } })
      })
    return { stream, cancelled }
  }

  test("keeps the services of its request until its end", async () => {
    const log: string[] = []
    const { stream } = streaming(log)
    await using app = await testApp({ routes: { stream }, services: { a: noted(log, "a") } })

    const response = await fetch(`${app.url}/stream`)

    expect(await response.text()).toBe("a1 a1 a1 ")
    expect(log).toEqual(["+a1", "-a1"])
  })

  test("a client that goes away cancels it, and the services go too", async () => {
    const log: string[] = []
    let tellDisposed = () => {}
    const disposed = new Promise<void>((resolve) => {
      tellDisposed = resolve
    })
    const a = service({
      lifecycle: "request",
      create: () => ({ id: "a" }),
      dispose: () => {
        log.push("-a")
        tellDisposed()
      },
    })
    const { stream, cancelled } = streaming(log)
    await using app = await testApp({ routes: { stream }, services: { a } })
    const controller = new AbortController()

    const response = await fetch(`${app.url}/stream?endless`, { signal: controller.signal })
    await response.body?.getReader().read()
    controller.abort()
    await Promise.all([cancelled, disposed])

    expect(log).toEqual(["cancelled", "-a"])
    expect(app.logged).toEqual([])
  })

  test("one that breaks off is cut, logged with its request, and its services go", async () => {
    const log: string[] = []
    let breakOff = (_error: Error) => {}
    const stream = route()
      .get()
      .handler((context) => {
        const { a } = held(context)
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(a.id))
            breakOff = (error) => controller.error(error)
          },
        })
        return new Response(body)
      })
    await using app = await testApp({ routes: { stream }, services: { a: noted(log, "a") } })

    const response = await fetch(`${app.url}/stream`)
    const reader = response.body?.getReader()
    await reader?.read()
    breakOff(new Error("the source is gone"))
    const failure = await reader?.read().catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(Error)
    expect(log).toEqual(["+a1", "-a1"])
    const requestId = response.headers.get("x-request-id")
    expect(app.logged).toMatchObject([
      { message: "A streamed answer failed after its headers were sent.", fields: { requestId } },
    ])
  })

  test("HEAD reads nothing of it", async () => {
    const log: string[] = []
    const { stream, cancelled } = streaming(log)
    await using app = await testApp({ routes: { stream }, services: { a: noted(log, "a") } })

    const response = await fetch(`${app.url}/stream?endless`, { method: "HEAD" })
    await cancelled

    expect(response.status).toBe(200)
    expect(log).toContain("cancelled")
  })
})
