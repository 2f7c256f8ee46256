import type { FastifyReply } from 'fastify'

/**
 * Mail clients style by attributes, so a mail that is shown as a page may do so, too. It runs no script and loads
 * nothing. Our own pages show it in a sandboxed frame.
 */
const MAIL_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

/** Answers with the HTML of a mail as a page: its links open in a tab of their own. */
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

/** The HTML of a mail as a page: the images that are parts of the mail are inside it. */
export function inlineImages({ html, images = [] }: ShownMail): string {
  return images.reduce(
    (text, { contentId, contentType, content }) =>
      text.replaceAll(`"cid:${contentId}"`, `"data:${contentType};base64,${content}"`),
    html,
  )
}
