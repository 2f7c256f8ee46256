import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { accountKey } from '#server/platform/sandbox/calendar/account.ts'
import { ensureAccount } from '#server/platform/sandbox/calendar/people.ts'
import { sendProviderPage } from '#server/platform/sandbox/calendar/send-provider-page.ts'
import { html } from '#server/platform/sandbox/html.ts'
import {
  addSandboxObject,
  findSandboxObject,
  saveSandboxObject,
} from '#server/platform/sandbox/sandbox-objects.ts'
import { ACCOUNTS, CODES, type SandboxWorld, WORDS } from './world.ts'

/** Source: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow#request-an-authorization-code */
const authorization = z.object({
  client_id: z.string(),
  response_type: z.literal('code'),
  response_mode: z.literal('query'),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  scope: z.string().min(1).max(2_000),
  state: z.string().max(500),
  code_challenge: z.string().min(43).max(128),
  code_challenge_method: z.literal('S256'),
  login_hint: z.string().max(254).optional(),
})
type Authorization = z.infer<typeof authorization>

const decision = z.object({
  decision: z.enum(['accept', 'cancel']),
  email: z
    .email()
    .max(254)
    .transform((email) => email.toLowerCase()),
})

/** What Microsoft's page says about each scope. */
const SENTENCES: Readonly<Record<string, string>> = {
  offline_access: 'Maintain access to data you have given it access to',
  'User.Read': 'Sign you in and read your profile',
  'MailboxSettings.Read': 'Read your mailbox settings',
  'Calendars.Read': 'Read your calendars',
  'Calendars.ReadWrite': 'Have full access to your calendars',
}

const PATH = '/common/oauth2/v2.0/authorize'

/** The page on which a person accepts all that is asked for, or nothing. */
export function registerConsent(app: FastifyInstance, world: SandboxWorld): void {
  app.get(PATH, async (request, reply) => {
    const asked = authorization.safeParse(request.query)
    if (!asked.success || asked.data.client_id !== world.clientId) return sendUnknownApp(reply)
    return sendConsent(reply, asked.data)
  })

  app.post(PATH, async (request, reply) => {
    const asked = authorization.safeParse(request.query)
    if (!asked.success || asked.data.client_id !== world.clientId) return sendUnknownApp(reply)
    const decided = decision.safeParse(request.body)
    if (!decided.success) return sendConsent(reply.code(400), asked.data, 'Please type an email address.')
    const url = new URL(asked.data.redirect_uri)
    if (decided.data.decision === 'cancel') {
      url.searchParams.set('error', 'access_denied')
      url.searchParams.set('error_subcode', 'cancel')
    } else {
      url.searchParams.set('code', await allow(world, asked.data, decided.data.email))
    }
    url.searchParams.set('state', asked.data.state)
    return reply.redirect(url.toString(), 303)
  })
}

async function allow(
  world: SandboxWorld,
  { scope, redirect_uri: redirectUri, code_challenge: codeChallenge }: Authorization,
  email: string,
): Promise<string> {
  await ensureAccount(world, email)
  const code = `M.C5${randomBytes(24).toString('base64url')}`
  const scopes = await inTransaction(world.db, async (trx) => {
    const account = await findSandboxObject(trx, ACCOUNTS, accountKey(email), { lock: true })
    if (account === null) throw new Error('an account of the stand-in is gone')
    // What an account accepted before stays accepted.
    const granted = [...new Set([...account.grantedScopes, ...scope.split(' ')])]
    // A new consent ends a withdrawal.
    const faults = { ...account.faults, isRevoked: false }
    await saveSandboxObject(trx, ACCOUNTS, accountKey(email), { ...account, grantedScopes: granted, faults })
    return granted
  })
  await addSandboxObject(world.db, CODES, code, { email, scopes, redirectUri, codeChallenge, isUsed: false })
  return code
}

function sendConsent(reply: FastifyReply, { scope, login_hint }: Authorization, alert?: string) {
  const sentences = scope.split(' ').map((name) => html`<li>${SENTENCES[name] ?? name}</li>`)
  const body = html`${alert === undefined ? '' : html`<p class="alert" role="alert">${alert}</p>`}
<form class="card" method="post">
<label for="email">Email address of the Microsoft account</label>
<input id="email" name="email" type="email" value="${login_hint ?? WORDS.exampleEmail}" maxlength="254" autocomplete="off" required>
<p>Let Meridian:</p>
<ul>${sentences}</ul>
<div class="actions">
<button class="main" name="decision" value="accept">Accept</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
</div>
</form>`
  return sendProviderPage(reply, { words: WORDS, title: 'Permissions requested', body })
}

function sendUnknownApp(reply: FastifyReply): FastifyReply {
  const body = html`<p class="alert" role="alert">This address does not name an app that Microsoft knows.</p>`
  return sendProviderPage(reply.code(400), { words: WORDS, title: 'Sign in', body })
}
