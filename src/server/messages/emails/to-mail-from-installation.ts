import type { MailAddress, OutgoingMail } from '#server/ports/mailer.ts'
import { toGreeting, toGreetingName, toSingleLine } from './entered-text.ts'
import { renderHtmlPage } from './html-page.ts'
import type { MailBlock, MailDocument } from './mail-document.ts'
import { AUTOMATIC_MAIL_HEADERS, type MailOrigin, toMessageId } from './mail-origin.ts'
import { renderPlainText } from './plain-text.ts'

/**
 * The parts that differ between emails by the product itself. Text that people typed has been sanitised by
 * `entered-text.ts`.
 */
type ProductMail = {
  /** Parts of the Message-ID, which are the same for each retry of one email. */
  readonly idParts: readonly string[]
  readonly to: MailAddress
  /** The calendar that the email is about, named at the top; null for account emails. */
  readonly calendar: { readonly name: string; readonly color: string } | null
  readonly heading: string
  /** The part of the subject after the heading; null when the heading is enough. */
  readonly about: string | null
  readonly preview: string
  /** The blocks after the greeting. */
  readonly blocks: readonly MailBlock[]
  readonly footer: string
}

/** Builds an email by the product itself to an owner, in the product's name and without a reply address. */
export function toMailFromInstallation(mail: ProductMail, origin: MailOrigin): OutgoingMail {
  const { idParts, to, calendar, heading, about, preview, blocks, footer } = mail
  const product = toSingleLine(origin.from.name)
  const document: MailDocument = {
    masthead: calendar?.name ?? product,
    color: calendar?.color ?? null,
    heading,
    preview,
    blocks: [{ kind: 'paragraph', text: toGreeting(to.name) }, ...blocks],
    footer: [footer],
  }
  return {
    messageId: toMessageId(origin, idParts),
    from: { name: product, address: origin.from.address },
    replyTo: null,
    to: { name: toGreetingName(to.name), address: to.address },
    subject: about === null ? heading : `${heading}: ${about}`,
    text: renderPlainText(document),
    html: renderHtmlPage(document),
    attachments: [],
    headers: AUTOMATIC_MAIL_HEADERS,
  }
}
