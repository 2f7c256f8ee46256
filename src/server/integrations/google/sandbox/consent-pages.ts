import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { html } from '#server/platform/sandbox/html.ts'
import {
  addSandboxObject,
  findSandboxObject,
  saveSandboxObject,
} from '#server/platform/sandbox/sandbox-objects.ts'
import { accountKey } from './account.ts'
import { ensureAccount } from './people.ts'
import { sendGooglePage } from './send-google-page.ts'
import { ACCOUNTS, CODES, type SandboxWorld } from './world.ts'

/** Source: https://developers.google.com/identity/protocols/oauth2/web-server#creatingclient */
const authorization = z.object({
  client_id: z.string(),
  response_type: z.literal('code'),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  scope: z.string().min(1).max(2_000),
  state: z.string().max(500),
  code_challenge: z.string().min(43).max(128),
  code_challenge_method: z.literal('S256'),
  access_type: z.literal('offline'),
  include_granted_scopes: z.enum(['true', 'false']).default('false'),
  login_hint: z.string().max(254).optional(),
})
type Authorization = z.infer<typeof authorization>

/** Ticked boxes come by the names of their scopes. */
const decision = z.looseObject({
  decision: z.enum(['allow', 'cancel']),
  email: z
    .email()
    .max(254)
    .transform((email) => email.toLowerCase()),
})

const OWNER_EMAIL = 'owner@gmail.example'
const CALENDAR_SCOPE = 'https://www.googleapis.com/auth/'

/** What Google's page says about each scope. */
const SENTENCES: Readonly<Record<string, string>> = {
  'calendar.calendarlist.readonly': 'See the list of Google calendars you’re subscribed to',
  'calendar.events.freebusy': 'See the availability on Google calendars you have access to',
  'calendar.events.owned': 'See, create, change, and delete events on Google calendars you own',
}

/** The page on which a person allows the access, or a part of it. */
export function registerConsent(app: FastifyInstance, world: SandboxWorld): void {
  app.get('/o/oauth2/v2/auth', async (request, reply) => {
    const asked = authorization.safeParse(request.query)
    if (!asked.success || asked.data.client_id !== world.clientId) return sendUnknownApp(reply)
    return sendConsent(reply, asked.data)
  })

  app.post('/o/oauth2/v2/auth', async (request, reply) => {
    const asked = authorization.safeParse(request.query)
    if (!asked.success || asked.data.client_id !== world.clientId) return sendUnknownApp(reply)
    const decided = decision.safeParse(request.body)
    if (!decided.success) return sendConsent(reply.code(400), asked.data, 'Please type an email address.')
    const url = new URL(asked.data.redirect_uri)
    url.searchParams.set('state', asked.data.state)
    if (decided.data.decision === 'cancel') {
      url.searchParams.set('error', 'access_denied')
    } else {
      const { code, scopes } = await allow(world, asked.data, decided.data)
      url.searchParams.set('code', code)
      url.searchParams.set('scope', scopes.join(' '))
    }
    return reply.redirect(url.toString(), 303)
  })
}

async function allow(
  world: SandboxWorld,
  { scope, redirect_uri, code_challenge, include_granted_scopes }: Authorization,
  decided: z.infer<typeof decision>,
) {
  const { email } = decided
  await ensureAccount(world, email)
  const code = `4/0${randomBytes(24).toString('base64url')}`
  const scopes = await inTransaction(world.db, async (trx) => {
    const account = await findSandboxObject(trx, ACCOUNTS, accountKey(email), { lock: true })
    if (account === null) throw new Error('an account of the stand-in is gone')
    const ticked = scope.split(' ').filter((name) => !isChoice(name) || decided[shortNameOf(name)] === 'on')
    const before = include_granted_scopes === 'true' ? account.grantedScopes : []
    const granted = [...new Set([...before, ...ticked])]
    // A new consent ends a withdrawal.
    const faults = { ...account.faults, isRevoked: false }
    await saveSandboxObject(trx, ACCOUNTS, accountKey(email), { ...account, grantedScopes: granted, faults })
    return granted
  })
  const kept = { email, scopes, redirectUri: redirect_uri, codeChallenge: code_challenge, isUsed: false }
  await addSandboxObject(world.db, CODES, code, kept)
  return { code, scopes }
}

/** The identity cannot be unticked. */
function isChoice(scope: string): boolean {
  return scope.startsWith(CALENDAR_SCOPE)
}

function shortNameOf(scope: string): string {
  return scope.replace(CALENDAR_SCOPE, '')
}

function sendConsent(reply: FastifyReply, { scope, login_hint }: Authorization, alert?: string) {
  const boxes = scope
    .split(' ')
    .filter(isChoice)
    .map(shortNameOf)
    .map(
      (name) =>
        html`<label class="box"><input type="checkbox" name="${name}" checked> ${SENTENCES[name] ?? name}</label>`,
    )
  const body = html`${alert === undefined ? '' : html`<p class="alert" role="alert">${alert}</p>`}
<form class="card" method="post">
<label for="email">Email address of the Google account</label>
<input id="email" name="email" type="email" value="${login_hint ?? OWNER_EMAIL}" maxlength="254" autocomplete="off" required>
<p>Meridian wants to:</p>
${boxes}
<div class="actions">
<button class="main" name="decision" value="allow">Allow access</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
</div>
</form>`
  return sendGooglePage(reply, { title: 'Sign in with Google', body })
}

function sendUnknownApp(reply: FastifyReply): FastifyReply {
  const body = html`<p class="alert" role="alert">This address does not name an app that Google knows.</p>`
  return sendGooglePage(reply.code(400), { title: 'Access blocked', body })
}
