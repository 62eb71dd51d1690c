import { setTimeout as wait } from "node:timers/promises"
import { SMTPServer } from "smtp-server"

// A mail server as a process. Its settings come as JSON, and it sends the received mails back as messages.
const { user, refuse = [], busy = [], stallAt, withTls = false, port } = JSON.parse(process.argv[2] ?? "{}")
const LONG_MS = 60_000

const stall = async (step) => {
  if (step === stallAt) await wait(LONG_MS)
}

const answerTo = (address) => {
  if (refuse.includes(address)) return Object.assign(new Error("No such user here"), { responseCode: 550 })
  if (busy.includes(address)) return Object.assign(new Error("Try again later"), { responseCode: 451 })
  return null
}

const server = new SMTPServer({
  hideSTARTTLS: !withTls,
  allowInsecureAuth: true,
  authOptional: user === undefined,
  onConnect: (_session, done) => void stall("greeting").then(() => done()),
  onAuth: ({ username, password }, _session, done) =>
    username === user?.name && password === user?.password
      ? done(null, { user: username })
      : done(Object.assign(new Error("Wrong name or password"), { responseCode: 535 })),
  onRcptTo: ({ address }, _session, done) => done(answerTo(address)),
  onData: (stream, session, done) => {
    const chunks = []
    stream.on("data", (chunk) => chunks.push(chunk))
    stream.on("end", async () => {
      await stall("data")
      const { mailFrom, rcptTo } = session.envelope
      const raw = Buffer.concat(chunks).toString("latin1")
      process.send({
        from: mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        raw,
        id: session.id,
        user: session.user,
      })
      done()
    })
  },
})

server.on("error", () => {})
server.listen(port, "127.0.0.1", () => process.send("listening"))
