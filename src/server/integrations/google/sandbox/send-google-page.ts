import type { FastifyReply } from 'fastify'
import type { Html } from '#server/platform/sandbox/html.ts'
import { sendSandboxPage } from '#server/platform/sandbox/sandbox-page.ts'

/** Sends a page of the stand-in of Google. */
export function sendGooglePage(
  reply: FastifyReply,
  page: { readonly title: string; readonly body: Html },
): FastifyReply {
  return sendSandboxPage(reply, { provider: 'Google', note: 'nobody’s real calendar is touched', ...page })
}
