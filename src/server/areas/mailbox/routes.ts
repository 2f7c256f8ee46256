import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { mailboxOperations } from '#contract/operations/mailbox.ts'
import { sendMailPage } from '#server/platform/http/mail-page.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { type GalleryDeps, getMailSample, listMailSamples } from './list-mail-samples.ts'
import { getMail, listMails, type MailboxDeps } from './use-cases.ts'

/** The sandbox mailbox, and the gallery of every message. Registered only outside production on a loopback bind. */
export function mailboxRoutes(deps: MailboxDeps & GalleryDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(mailboxOperations.listMails),
      handler: () => listMails(deps),
    })
    app.route({
      ...serve(mailboxOperations.getMail),
      handler: ({ params }) => getMail(deps, params.id),
    })
    app.route({
      ...serve(mailboxOperations.showMail),
      handler: async ({ params }, reply) => sendMailPage(reply, await getMail(deps, params.id)),
    })

    app.route({
      ...serve(mailboxOperations.listMailSamples),
      handler: async () => listMailSamples(),
    })
    app.route({
      ...serve(mailboxOperations.getMailSample),
      handler: ({ params, query }) => getMailSample(deps, { ...params, ...query }),
    })
    app.route({
      ...serve(mailboxOperations.showMailSample),
      handler: async ({ params, query }, reply) =>
        sendMailPage(reply, await getMailSample(deps, { ...params, ...query })),
    })
  }
}
