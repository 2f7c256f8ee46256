export type MailAddress = { readonly name: string; readonly address: string }

export type MailAttachment = {
  readonly filename: string
  /** With its parameters, for example `text/calendar; charset=utf-8; method=REQUEST`. */
  readonly contentType: string
  readonly content: string
}

/** One message to one person, finished: what leaves is what stands here. JSON-serialisable. */
export type OutgoingMail = {
  /** In angle brackets, and the same each time one message is tried again, so that receivers can tell a repeat. */
  readonly messageId: string
  /** The operator's address, under the owner's name. */
  readonly from: MailAddress
  readonly replyTo: MailAddress | null
  readonly to: MailAddress
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly MailAttachment[]
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A mail server that answered, and said no. Errors go into logs, and a server's words name the people whose mail it is: the
 * message has the code only, and the words are out of the logs' reach.
 */
export class MailRefusedError extends Error {
  /**
   * The same answer is to be expected each time: it is about this recipient or this text, and not about the operator.
   * Source: rule M7.
   */
  readonly isFinal: boolean
  readonly #words: string

  constructor(answer: { readonly code: number; readonly command: string; words: string; isFinal: boolean }) {
    super(`The mail server answered ${answer.code}${answer.command && ` to ${answer.command}`}`)
    this.name = 'MailRefusedError'
    this.isFinal = answer.isFinal
    this.#words = answer.words
  }

  /** What the server said of it. May hold addresses. */
  get words(): string {
    return this.#words
  }
}

/** The way messages leave the product. */
export type Mailer = {
  /**
   * Resolves when the receiving side has taken the message over; rejects when it has not, so that the caller tries again.
   * @throws MailRefusedError when a mail server said so
   */
  send(mail: OutgoingMail): Promise<void>
  /** Lets deliveries that have begun finish, then gives up every connection. */
  close(): Promise<void>
}
