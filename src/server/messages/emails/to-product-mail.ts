import type { MailAddress, OutgoingMail } from '#server/ports/mailer.ts'
import { renderHtmlPage } from './html-page.ts'
import type { MailBlock, MailDocument } from './mail-document.ts'
import { AUTOMATIC_HEADERS, type MailOrigin, toMessageId } from './mail-origin.ts'
import { renderPlainText } from './plain-text.ts'
import { toAddressee, toGreeting, toSingleLine } from './typed-text.ts'

/** What differs between the messages of the product itself. Text that people typed has been through `typed-text.ts`. */
type ProductMail = {
  /** The same for each try of one message. */
  readonly idParts: readonly string[]
  readonly to: MailAddress
  /** The calendar that the message is about, in its head; null for a message about an account. */
  readonly calendar: { readonly name: string; readonly color: string } | null
  readonly heading: string
  /** What the subject names after the heading; null when the heading says all. */
  readonly about: string | null
  readonly preview: string
  /** What follows the greeting. */
  readonly blocks: readonly MailBlock[]
  readonly footer: string
}

/** A message of the product itself to an owner: it is sent in the product's name, and nobody is meant to reply. */
export function toProductMail(mail: ProductMail, origin: MailOrigin): OutgoingMail {
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
    to: { name: toAddressee(to.name), address: to.address },
    subject: about === null ? heading : `${heading}: ${about}`,
    text: renderPlainText(document),
    html: renderHtmlPage(document),
    attachments: [],
    headers: AUTOMATIC_HEADERS,
  }
}
