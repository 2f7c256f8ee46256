import type { FastifyReply } from 'fastify'
import type { Html } from '#sandbox/kit/html.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import type { CalendarPageTexts } from './world.ts'

/** Sends a page of a calendar provider's sandbox. */
export function sendProviderPage(
  reply: FastifyReply,
  { words, ...page }: { readonly words: CalendarPageTexts; readonly title: string; readonly body: Html },
): FastifyReply {
  return sendSandboxPage(reply, {
    provider: words.provider,
    note: 'nobody’s real calendar is touched',
    ...page,
  })
}
