import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowInlineElements, type InlineElement } from './inline-elements.ts'

/** A page that can be sent many times. */
export type HtmlPage = {
  readonly html: string
  /** The inline elements that the Content-Security-Policy must allow. */
  readonly elements: readonly InlineElement[]
  /** The gzipped page, which takes a fifth of the transfer time; compressed on first use. */
  readonly packed: () => Promise<Buffer>
}

const pack = promisify(gzip)

export function toHtmlPage(html: string, elements: readonly InlineElement[]): HtmlPage {
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

/** Sends a page, gzipped if the browser accepts it. */
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

/**
 * Headers for pages and operations whose URL is a secret (an appointment's id): the response is not cached, not
 * indexed, and its URL is not sent as a referrer. Source: rule B18.
 */
export async function sendPrivateHeaders(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
}
