import type { ContactMessage } from '#contract/messages/contact.ts'
import type { MailAddress, OutgoingMail } from '#server/ports/mailer.ts'
import { toIsolatedName, toLines, toReadableEmailAddress, toSingleLine } from './entered-text.ts'
import { renderHtmlPage } from './html-page.ts'
import type { MailDocument } from './mail-document.ts'
import { AUTOMATIC_MAIL_HEADERS, type MailOrigin, toMessageId } from './mail-origin.ts'
import { renderPlainText } from './plain-text.ts'

/** Forwards a message from the contact page to the operator. Replies go to the person who wrote it. */
export function buildContactMail(
  input: { readonly to: MailAddress; readonly message: ContactMessage; readonly deliveryId: string },
  origin: MailOrigin,
): OutgoingMail {
  const { to, message, deliveryId } = input
  const product = toSingleLine(origin.from.name)
  const sender = toIsolatedName(message.name)
  const subject = toIsolatedName(message.subject)
  const document: MailDocument = {
    masthead: product,
    color: null,
    heading: 'A message to you',
    preview: `${sender} wrote to you on the contact page.`,
    blocks: [
      { kind: 'paragraph', text: `Somebody wrote to you on the contact page of ${origin.host}.` },
      {
        kind: 'facts',
        facts: [
          { label: 'Name', lines: [sender] },
          {
            label: 'Email',
            lines: [toReadableEmailAddress(message.email)],
            href: `mailto:${encodeURI(message.email)}`,
          },
          ...(subject === '' ? [] : [{ label: 'Subject', lines: [subject] }]),
        ],
      },
      { kind: 'notes', label: 'Message', lines: toLines(message.message) },
    ],
    footer: [
      'Reply to this email to answer. The sender typed this name and address, and we haven’t verified them.',
    ],
  }
  return {
    messageId: toMessageId(origin, [deliveryId, 'contact']),
    from: { name: product, address: origin.from.address },
    replyTo: { name: sender, address: message.email },
    to: { name: toSingleLine(to.name), address: to.address },
    subject: `Message from ${sender}${subject === '' ? '' : `: ${subject}`}`,
    text: renderPlainText(document),
    html: renderHtmlPage(document),
    attachments: [],
    headers: AUTOMATIC_MAIL_HEADERS,
  }
}
