import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  mailContentSchema,
  mailSampleQuery,
  mailSamplesResponse,
  mailSchema,
  mailsResponse,
} from '#contract/mailbox.ts'
import { anyText, idOf } from '#contract/primitives.ts'
import { sendMailPage } from '#server/platform/http/mail-page.ts'
import { type GalleryDeps, getMailSample, listMailSamples } from './list-mail-samples.ts'
import { getMail, listMails, type MailboxDeps } from './use-cases.ts'

const idParams = z.object({ id: idOf('request.not_found') })
const sampleParams = z.object({ id: anyText().max(60, 'request.not_found') })

/** The sandbox mailbox, and the gallery of every message. Registered only outside production on a loopback bind. */
export function mailboxRoutes(deps: MailboxDeps & GalleryDeps): FastifyPluginAsyncZod {
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
      handler: async ({ params }, reply) => sendMailPage(reply, await getMail(deps, params.id)),
    })

    app.get('/api/sandbox/mail-samples', {
      schema: { hide: true, response: { 200: mailSamplesResponse } },
      handler: async () => listMailSamples(),
    })
    app.get('/api/sandbox/mail-samples/:id', {
      schema: {
        hide: true,
        params: sampleParams,
        querystring: mailSampleQuery,
        response: { 200: mailContentSchema },
      },
      handler: ({ params, query }) => getMailSample(deps, { ...params, ...query }),
    })
    app.get('/api/sandbox/mail-samples/:id/html', {
      schema: { hide: true, params: sampleParams, querystring: mailSampleQuery },
      handler: async ({ params, query }, reply) =>
        sendMailPage(reply, await getMailSample(deps, { ...params, ...query })),
    })
  }
}
