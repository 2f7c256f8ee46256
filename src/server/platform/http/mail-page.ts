import type { FastifyReply } from 'fastify'

/**
 * Content-Security-Policy for emails shown as pages. Emails are styled with attributes, so it allows inline styles, but
 * no scripts and no other resources. Our own pages show the email in a sandboxed frame.
 */
const MAIL_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

/** Sends the HTML of an email as a page; its links open in a new tab. */
export function sendMailPage(reply: FastifyReply, mail: ShownMail): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', MAIL_CSP)
    .header('x-frame-options', 'SAMEORIGIN')
    .header('cache-control', 'private, no-store')
    .send(inlineImages(mail).replace(/<head(\s[^>]*)?>/i, (head) => `${head}<base target="_blank">`))
}

type ShownMail = {
  readonly html: string
  readonly images?: readonly { contentId: string; contentType: string; content: string }[] | undefined
}

/** Returns the email's HTML with its attached images as data URLs. */
export function inlineImages({ html, images = [] }: ShownMail): string {
  return images.reduce(
    (text, { contentId, contentType, content }) =>
      text.replaceAll(`"cid:${contentId}"`, `"data:${contentType};base64,${content}"`),
    html,
  )
}
