import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { html } from '#sandbox/kit/html.ts'
import { oauthError, withQuery } from '#sandbox/kit/oauth.ts'
import { addSandboxObject, findSandboxObject, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { PAYPAL_ID_CHARACTERS } from './order.ts'
import { LOGIN_CODES, type Payer, type PaypalSandboxContext, type TokenHolder } from './world.ts'

const webUrl = z.url({ protocol: /^https?$/ })
const authorization = z.object({
  client_id: z.string().min(1).max(200),
  response_type: z.literal('code'),
  scope: z.string().regex(/\bopenid\b.*paypalattributes/),
  redirect_uri: webUrl,
  state: z.string().max(500),
})
const decision = z.object({ decision: z.enum(['allow', 'cancel']), email: z.email().max(254).optional() })
const grant = z.discriminatedUnion('grant_type', [
  z.object({ grant_type: z.literal('client_credentials') }),
  z.object({ grant_type: z.literal('authorization_code'), code: z.string().max(100) }),
])

/** The only app secret that the sandbox refuses. */
const WRONG_SECRET = 'wrong'
const TOKEN_LIFETIME_S = 9 * 60 * 60

/**
 * Registers Log in with PayPal, and the token endpoint. Source: https://developer.paypal.com/docs/log-in-with-paypal/integrate/
 */
export function registerPaypalLogin(app: FastifyInstance, world: PaypalSandboxContext): void {
  app.get('/signin/authorize', async (request, reply) => {
    const asked = authorization.safeParse(request.query)
    return asked.success ? sendLogin(reply) : sendUnknownApp(reply)
  })

  app.post('/signin/authorize', async (request, reply) => {
    const asked = authorization.safeParse(request.query)
    if (!asked.success) return sendUnknownApp(reply)
    const decided = decision.parse(request.body)
    const { client_id: clientId, redirect_uri, state } = asked.data
    const answer =
      decided.decision === 'allow'
        ? { code: await allow(world, clientId, decided.email ?? OWNER_EMAIL) }
        : oauthError('access_denied', 'the user denied the request')
    return reply.redirect(withQuery(redirect_uri, { state, ...answer }), 303)
  })

  app.post('/v1/oauth2/token', async (request, reply) => {
    const clientId = clientIdIn(request.headers.authorization)
    if (clientId === null)
      return reply.code(401).send(oauthError('invalid_client', 'Client Authentication failed'))
    const asked = grant.safeParse(request.body)
    if (!asked.success)
      return reply.code(400).send(oauthError('unsupported_grant_type', 'Grant Type is not known'))
    const payer =
      asked.data.grant_type === 'authorization_code' ? await redeem(world, clientId, asked.data.code) : null
    if (payer === undefined)
      return reply.code(400).send(oauthError('invalid_grant', 'Invalid authorization code'))
    const token = `A21AA${randomBytes(24).toString('hex')}`
    world.tokens.set(token, { clientId, payer })
    return { access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_S }
  })

  app.get('/v1/identity/openidconnect/userinfo', async (request, reply) => {
    const payer = findTokenHolder(world, request.headers.authorization)?.payer ?? null
    if (payer === null) return reply.code(401).send(oauthError('invalid_token', 'The token is not valid'))
    return {
      user_id: `https://www.paypal.com/webapps/auth/identity/user/${payer.payerId}`,
      sub: `https://www.paypal.com/webapps/auth/identity/user/${payer.payerId}`,
      payer_id: payer.payerId,
      email: payer.email,
      verified: 'true',
    }
  })
}

/** Returns a one-time code for the person with this email address. */
async function allow(world: PaypalSandboxContext, clientId: string, email: string): Promise<string> {
  const code = `C21AA${randomBytes(16).toString('hex')}`
  const kept = { payerId: payerIdOf(email), email, clientId, isUsed: false }
  await addSandboxObject(world.db, LOGIN_CODES, code, kept)
  return code
}

/** Returns the app or person of a token; null for an unknown token. */
export function findTokenHolder(
  world: PaypalSandboxContext,
  authorizationHeader: string | undefined,
): TokenHolder | null {
  return world.tokens.get(authorizationHeader?.replace(/^Bearer /, '') ?? '') ?? null
}

const OWNER_EMAIL = 'owner@business.example'

function sendLogin(reply: FastifyReply): FastifyReply {
  const body = html`<form class="card" method="post">
<p>Meridian wants to know which PayPal account is yours, and its email address.</p>
<label for="email">Email address of the account</label>
<input id="email" name="email" type="email" value="${OWNER_EMAIL}" maxlength="254" autocomplete="off" required>
<div class="actions">
<button class="main" name="decision" value="allow">Log in and allow access</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
</div>
</form>`
  return sendSandboxPage(reply, { provider: 'PayPal', title: 'Log in with PayPal', body })
}

function sendUnknownApp(reply: FastifyReply): FastifyReply {
  const alert = 'This address does not name an app that PayPal knows.'
  return sendSandboxPage(reply.code(400), { provider: 'PayPal', title: 'Cannot log in', alert })
}

/** Derives an account's id from its email address. */
function payerIdOf(email: string): string {
  const bytes = createHash('sha256').update(email.toLowerCase()).digest().subarray(0, 13)
  return Array.from(bytes, (byte) => PAYPAL_ID_CHARACTERS[byte % PAYPAL_ID_CHARACTERS.length]).join('')
}

/** Returns the app's id; null for missing or wrong credentials. */
function clientIdIn(authorizationHeader: string | undefined): string | null {
  const [, credentials = ''] = /^Basic (.+)$/.exec(authorizationHeader ?? '') ?? []
  const [clientId = '', secret = ''] = Buffer.from(credentials, 'base64').toString().split(':')
  return clientId === '' || secret === '' || secret === WRONG_SECRET ? null : clientId
}

/** Consumes a code and returns its person; undefined for an unknown or used code. */
function redeem(world: PaypalSandboxContext, clientId: string, code: string): Promise<Payer | undefined> {
  return inTransaction(world.db, async (trx) => {
    const kept = await findSandboxObject(trx, LOGIN_CODES, code, { lock: true })
    if (kept === null || kept.isUsed || kept.clientId !== clientId) return undefined
    await saveSandboxObject(trx, LOGIN_CODES, code, { ...kept, isUsed: true })
    return { payerId: kept.payerId, email: kept.email }
  })
}
