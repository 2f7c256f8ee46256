export type MailAddress = { readonly name: string; readonly address: string }

export type MailAttachment = {
  readonly filename: string
  /** With its parameters, for example `text/calendar; charset=utf-8; method=REQUEST`. */
  readonly contentType: string
  readonly content: string
}

/** An image that is a part of a message: mail clients show it without asking anybody for it. */
export type MailImage = {
  /** The HTML names it as `cid:` and this. */
  readonly contentId: string
  readonly filename: string
  readonly contentType: string
  /** Base64. */
  readonly content: string
}

/** One finished message to one person: what leaves is exactly this. JSON-serialisable. */
export type OutgoingMail = {
  /** In angle brackets, and the same for each try of one message, so that receivers recognise a repeat. */
  readonly messageId: string
  /** The operator's address, under the owner's name. */
  readonly from: MailAddress
  readonly replyTo: MailAddress | null
  readonly to: MailAddress
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly MailAttachment[]
  /** Absent in a message without any. */
  readonly images?: readonly MailImage[] | undefined
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A mail server answered, and refused. Errors go into logs, and a server's words name the people whose mail it is: so
 * the message has only the code, and the words stay out of the logs.
 */
export class MailRefusedError extends Error {
  /**
   * Another try would get this answer again: it is about this recipient or this text, and not about the operator.
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

  /** The words of the server. They may contain addresses. */
  get words(): string {
    return this.#words
  }
}

/** The way messages leave the product. */
export type Mailer = {
  /**
   * Resolves when the receiving side has taken the message; rejects when it has not, so that the caller tries again.
   * @throws MailRefusedError when a mail server refused it
   */
  send(mail: OutgoingMail): Promise<void>
  /** Lets deliveries under way finish, then closes every connection. */
  close(): Promise<void>
}
