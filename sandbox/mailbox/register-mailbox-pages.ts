import type { FastifyInstance, FastifyReply } from 'fastify'
import { getStyleCspHash, sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { toMailOrigin } from '#server/messages/emails/mail-origin.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sendMailPage } from '#server/platform/http/mail-page.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { findCalendarHost } from '#server/platform/http/request-hosts.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import type { MailContent } from './mail.ts'
import { MAIL_SAMPLES } from './mail-samples.ts'
import { getMail, listMails, toMailContent } from './mailbox.ts'
import { renderMailbox, renderMailGallery } from './mailbox-body.ts'
import { SAMPLE_SCENE_NAMES, type SampleSceneName } from './sample-scenes.ts'

export type MailboxPagesDeps = { readonly db: Db; readonly baseUrl: string; readonly mailFrom: string }

type ById = { readonly Params: { readonly id: string }; readonly Querystring: { readonly scene?: string } }
type ByChoice = {
  readonly Querystring: { readonly id?: string; readonly message?: string; readonly scene?: string }
}

const HIDDEN = { schema: { hide: true } }
/** The Content-Security-Policy of the pages. It allows a frame for the email, and no scripts. */
const PAGE_CSP = `default-src 'none'; style-src '${getStyleCspHash()}'; frame-src 'self'; frame-ancestors 'none'; form-action 'self'`

/** Registers the mailbox, the gallery of all emails, and the mailbox's API for tests. */
export function registerMailboxPages(app: FastifyInstance, deps: MailboxPagesDeps): void {
  app.get('/api/sandbox/mails', HIDDEN, () => listMails(deps))
  app.get<ById>('/api/sandbox/mails/:id', HIDDEN, ({ params }) => getMail(deps, params.id))
  app.get<ById>('/api/sandbox/mails/:id/html', HIDDEN, async ({ params }, reply) =>
    sendMailPage(reply, await getMail(deps, params.id)),
  )
  app.get<ById>('/api/sandbox/mail-samples/:id/html', HIDDEN, async ({ params, query }, reply) =>
    sendMailPage(reply, await buildSample(deps, params.id, toScene(query.scene))),
  )

  app.get<ByChoice>('/sandbox/mail', HIDDEN, async (request, reply) => {
    // The booking page on a calendar's own host links here. The mailbox is on the main host.
    if (findCalendarHost(request) !== null) return reply.redirect(`${deps.baseUrl}/sandbox/mail`)
    const { id } = request.query
    const { mails } = await listMails(deps)
    const mail = id === undefined ? null : await getMail(deps, id)
    const body = renderMailbox(mails, mail)
    // Reloads the list every three seconds to show new emails.
    if (mail === null) reply.header('refresh', '3')
    return sendPage(reply, 'Mailbox', body)
  })

  app.get<ByChoice>('/sandbox/mail/gallery', HIDDEN, async (request, reply) => {
    const { message = Object.keys(MAIL_SAMPLES)[0] ?? '' } = request.query
    const scene = toScene(request.query.scene)
    const content: MailContent = toMailContent(await buildSample(deps, message, scene))
    return sendPage(reply, 'Messages', renderMailGallery({ id: message, scene, content }))
  })
}

/** @throws ProblemError `request.not_found` */
async function buildSample(
  deps: MailboxPagesDeps,
  id: string,
  scene: SampleSceneName,
): Promise<OutgoingMail> {
  const sample = Object.hasOwn(MAIL_SAMPLES, id) ? MAIL_SAMPLES[id] : undefined
  if (sample === undefined) throw new ProblemError('request.not_found')
  return sample.build({ origin: toMailOrigin(deps), baseUrl: deps.baseUrl }, scene)
}

function toScene(name: string | undefined): SampleSceneName {
  return (
    (Object.keys(SAMPLE_SCENE_NAMES).find((scene) => scene === name) as SampleSceneName | undefined) ??
    'everyday'
  ) // found by its key
}

function sendPage(
  reply: FastifyReply,
  title: string,
  body: ReturnType<typeof renderMailGallery>,
): FastifyReply {
  reply.headers({ 'content-security-policy': PAGE_CSP, 'cache-control': 'private, no-store' })
  return sendSandboxPage(reply, { provider: 'Mail', title, body, note: 'no email is sent', isWide: true })
}
