import type { Mail, MailTransport } from "../ports/mail-transport.ts"

/** The mails that an app has sent during a test. */
export interface TestMails {
  /** All mails that the app has sent, the oldest first. */
  readonly sent: readonly Mail[]
  /**
   * Resolves to the oldest mail, or the oldest mail to this address, that `next` has not returned yet. Waits up to 5
   * seconds for it.
   */
  next(to?: string): Promise<Mail>
}

const NEXT_TIMEOUT_MS = 5_000

/** A mail transport that keeps the sent mails in memory. */
export class Mailbox implements MailTransport, TestMails {
  readonly sent: Mail[] = []
  readonly #taken = new Set<Mail>()
  readonly #wakers = new Set<() => void>()

  send(mail: Mail): Promise<void> {
    this.sent.push(mail)
    for (const wake of this.#wakers) wake()
    return Promise.resolve()
  }

  async next(to?: string): Promise<Mail> {
    const giveUpAt = performance.now() + NEXT_TIMEOUT_MS
    for (let mail = this.#take(to); ; mail = this.#take(to)) {
      if (mail) return mail
      if (performance.now() >= giveUpAt) throw new Error(this.#timeoutMessage(to))
      await this.#waitForMail(giveUpAt - performance.now())
    }
  }

  #take(to: string | undefined): Mail | undefined {
    const mail = this.sent.find((sent) => !this.#taken.has(sent) && (to === undefined || sent.to.includes(to)))
    if (mail) this.#taken.add(mail)
    return mail
  }

  #waitForMail(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#wakers.delete(done)
        resolve()
      }
      const timer = setTimeout(done, timeoutMs)
      this.#wakers.add(done)
    })
  }

  #timeoutMessage(to: string | undefined): string {
    const known = this.sent.map((mail) => `"${mail.subject}" to ${mail.to.join(", ")}`).join("; ")
    return `No mail${to === undefined ? "" : ` to ${to}`} arrived within ${NEXT_TIMEOUT_MS / 1000} s. Sent so far: ${known || "nothing"}.`
  }
}
