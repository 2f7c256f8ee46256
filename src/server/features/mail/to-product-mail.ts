import type { MailAddress, OutgoingMail } from '#server/ports/mailer.ts'
import { renderHtmlPage } from './html-page.ts'
import type { MailDocument } from './mail-document.ts'
import { AUTOMATIC_HEADERS, type MailOrigin, toMessageId } from './mail-origin.ts'
import { renderPlainText } from './plain-text.ts'
import { toAddressee, toLine } from './typed-text.ts'

type ProductMail = {
  /** The same for each try of one message. */
  readonly idParts: readonly string[]
  readonly to: MailAddress
  readonly subject: string
  readonly document: MailDocument
}

/** A message of the product itself to an owner: it is sent in the product's name, and nobody is meant to reply. */
export function toProductMail(
  { idParts, to, subject, document }: ProductMail,
  origin: MailOrigin,
): OutgoingMail {
  return {
    messageId: toMessageId(origin, idParts),
    from: { name: toLine(origin.from.name), address: origin.from.address },
    replyTo: null,
    to: { name: toAddressee(to.name), address: to.address },
    subject,
    text: renderPlainText(document),
    html: renderHtmlPage(document),
    attachments: [],
    headers: AUTOMATIC_HEADERS,
  }
}
