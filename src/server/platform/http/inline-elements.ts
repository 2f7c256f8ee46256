import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

export const POLICY_HEADER = 'content-security-policy'

/** An inline `<style>` or `<script>` without attributes, identified by the hash of its text. */
export type InlineElement = { readonly name: 'style' | 'script'; readonly hash: string }

export function toInlineElement(name: InlineElement['name'], text: string): InlineElement {
  return { name, hash: createHash('sha256').update(text).digest('base64') }
}

/** Allows these inline elements in a response: adds their hashes to the Content-Security-Policy. */
export function allowInlineElements(reply: FastifyReply, elements: readonly InlineElement[]): void {
  const policy = reply.getHeader(POLICY_HEADER)
  if (typeof policy !== 'string') return
  const widened = elements.reduce(
    (text, { name, hash }) => text.replace(`${name}-src 'self'`, `$& 'sha256-${hash}'`),
    policy,
  )
  reply.header(POLICY_HEADER, widened)
}
