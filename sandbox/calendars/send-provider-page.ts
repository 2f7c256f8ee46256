import type { FastifyReply } from 'fastify'
import { type SandboxPage, sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import type { CalendarPageTexts } from './world.ts'

/** Sends a page of a calendar provider's sandbox. */
export function sendProviderPage(
  reply: FastifyReply,
  { words, ...page }: { readonly words: CalendarPageTexts } & Pick<SandboxPage, 'title' | 'alert' | 'body'>,
): FastifyReply {
  return sendSandboxPage(reply, {
    provider: words.provider,
    note: 'nobody’s real calendar is touched',
    ...page,
  })
}
