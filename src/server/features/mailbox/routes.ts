import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { mailSchema, mailsResponse } from '#contract/mailbox.ts'
import { getMail, getMailPage, listMails, type MailboxDeps } from './use-cases.ts'

const idParams = z.object({ id: z.uuid('request.not_found') })

/**
 * Mail clients style by attributes, so this one page may; it runs no script and reaches nothing. It is shown in a
 * sandboxed frame of the mailbox.
 */
const MAIL_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

/** The sandbox mailbox. Registered only outside production on a loopback bind. */
export function mailboxRoutes(deps: MailboxDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/sandbox/mails', {
      schema: { hide: true, response: { 200: mailsResponse } },
      handler: () => listMails(deps),
    })
    app.get('/api/sandbox/mails/:id', {
      schema: { hide: true, params: idParams, response: { 200: mailSchema } },
      handler: ({ params }) => getMail(deps, params.id),
    })
    app.get('/api/sandbox/mails/:id/html', {
      schema: { hide: true, params: idParams },
      handler: async ({ params }, reply) => {
        const page = await getMailPage(deps, params.id)
        return reply
          .type('text/html; charset=utf-8')
          .header('content-security-policy', MAIL_CSP)
          .header('x-frame-options', 'SAMEORIGIN')
          .send(page)
      },
    })
  }
}
