export type MailAddress = { readonly name: string; readonly address: string }

export type MailAttachment = {
  readonly filename: string
  /** The content type with its parameters, for example `text/calendar; charset=utf-8; method=REQUEST`. */
  readonly contentType: string
  readonly content: string
}

/** An inline image of an email, which mail clients display without loading anything. */
export type MailImage = {
  /** The id by which the HTML refers to the image, after `cid:`. */
  readonly contentId: string
  readonly filename: string
  readonly contentType: string
  /** The image in Base64. */
  readonly content: string
}

/** A complete email to one person, which is sent exactly as it is. It can be stored as JSON. */
export type OutgoingMail = {
  /** The Message-ID in angle brackets. It is the same for every attempt, so that receivers recognise duplicates. */
  readonly messageId: string
  /** The sender: the operator's address with the owner's name. */
  readonly from: MailAddress
  readonly replyTo: MailAddress | null
  readonly to: MailAddress
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly MailAttachment[]
  /** Inline images; absent when there are none. */
  readonly images?: readonly MailImage[] | undefined
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A mail server rejected the message. Errors are logged, and the server's text can name people, so `message` contains
 * only the code, and the text stays out of the logs.
 */
export class MailRefusedError extends Error {
  /**
   * True when a retry would be rejected again, because the reason is this recipient or this text and not the operator.
   * Source: rule M7.
   */
  readonly isFinal: boolean
  /** The server's reply code, such as 550. */
  readonly code: number
  /** The SMTP command that the server rejected, such as `RCPT`; empty when unknown. */
  readonly command: string
  readonly #words: string

  constructor(answer: { readonly code: number; readonly command: string; words: string; isFinal: boolean }) {
    super(`The mail server answered ${answer.code}${answer.command && ` to ${answer.command}`}`)
    this.name = 'MailRefusedError'
    this.isFinal = answer.isFinal
    this.code = answer.code
    this.command = answer.command
    this.#words = answer.words
  }

  /** The server's text, which can contain email addresses. */
  get words(): string {
    return this.#words
  }
}

/** Port that sends emails. */
export type Mailer = {
  /**
   * Resolves when the mail server has accepted the message; rejects otherwise, so that the caller retries.
   * @throws MailRefusedError when a mail server rejected it
   */
  send(mail: OutgoingMail): Promise<void>
  /** Waits for running deliveries, then closes every connection. */
  close(): Promise<void>
}
