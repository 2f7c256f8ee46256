import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowInlineElements, type InlineElement } from './security.ts'

/** A page that may be sent many times. */
export type HtmlPage = {
  readonly html: string
  /** The elements of it that the Content-Security-Policy has to let in. */
  readonly elements: readonly InlineElement[]
  /** The page with gzip: to a phone it is on its way for a fifth of the time. Packed when first asked for. */
  readonly packed: () => Promise<Buffer>
}

const pack = promisify(gzip)

export function htmlPage(html: string, elements: readonly InlineElement[]): HtmlPage {
  let packed: Promise<Buffer> | undefined
  return {
    html,
    elements,
    packed: () => {
      packed ??= pack(html)
      return packed
    },
  }
}

/** Sends a page, packed for browsers that can unpack it. */
export async function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  page: HtmlPage,
): Promise<FastifyReply> {
  allowInlineElements(reply, page.elements)
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding')
  const unpacks = /\bgzip\b/.test(String(request.headers['accept-encoding']))
  if (!unpacks) return reply.send(page.html)
  return reply.header('content-encoding', 'gzip').send(await page.packed())
}
