export type MailAddress = { readonly name: string; readonly address: string }

export type MailAttachment = {
  readonly filename: string
  /** Including parameters, for example `text/calendar; charset=utf-8; method=REQUEST`. */
  readonly contentType: string
  readonly content: string
}

/** An inline image of an email; mail clients display it without loading anything. */
export type MailImage = {
  /** The HTML refers to it as `cid:` plus this id. */
  readonly contentId: string
  readonly filename: string
  readonly contentType: string
  /** Base64. */
  readonly content: string
}

/** A complete email to one person, sent exactly as it is. JSON-serialisable. */
export type OutgoingMail = {
  /** In angle brackets; the same for every attempt, so that receivers recognise duplicates. */
  readonly messageId: string
  /** The operator's address with the owner's name. */
  readonly from: MailAddress
  readonly replyTo: MailAddress | null
  readonly to: MailAddress
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly MailAttachment[]
  /** Absent when there are no images. */
  readonly images?: readonly MailImage[] | undefined
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A mail server rejected the message. Errors are logged, and the server's text names people, so `message` contains only
 * the code, and the text is kept out of logs.
 */
export class MailRefusedError extends Error {
  /**
   * True when a retry would be rejected again: the reason is this recipient or this text, not the operator.
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

  /** The server's text. Can contain email addresses. */
  get words(): string {
    return this.#words
  }
}

/** Sends emails. */
export type Mailer = {
  /**
   * Resolves when the mail server has accepted the message; rejects otherwise, so that the caller retries.
   * @throws MailRefusedError when a mail server rejected it
   */
  send(mail: OutgoingMail): Promise<void>
  /** Waits for running deliveries, then closes every connection. */
  close(): Promise<void>
}
