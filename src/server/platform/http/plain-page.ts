import type { FastifyReply } from 'fastify'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { LANGUAGE } from '#core/shared/locale.ts'
import { allowInlineElements, toInlineElement } from './inline-elements.ts'
import { recordProblem } from './request-log.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for use between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

type PlainPage = {
  readonly title: string
  readonly text: string
  /** An optional link that leads the reader on. */
  readonly link?: { readonly href: string; readonly text: string }
}

/** The page that asks the reader to come back while the server or its database is unavailable. */
export const UNAVAILABLE_PAGE: PlainPage = {
  title: 'One moment',
  text: PROBLEMS['server.unavailable'].title,
  // An empty address loads the same page again.
  link: { href: '', text: 'Try again' },
}

const STYLE =
  ':root{color-scheme:light dark}body{max-width:60ch;margin:15vh auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}'
const INLINE_STYLE = [toInlineElement('style', STYLE)]

/** Sends a page with a heading and a sentence. The page needs no other file, script or data. */
export function sendPlainPage(
  reply: FastifyReply,
  code: ProblemCode,
  { title, text, link }: PlainPage,
): FastifyReply {
  recordProblem(reply.request, code)
  const way = link && `\n<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`
  const page = `<!doctype html>
<html lang="${LANGUAGE}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>${way ?? ''}
</body>
</html>
`
  allowInlineElements(reply, INLINE_STYLE)
  return reply
    .code(PROBLEMS[code].status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page)
}
