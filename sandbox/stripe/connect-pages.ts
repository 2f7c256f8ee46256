import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { html } from '#sandbox/kit/html.ts'
import { oauthError, withQuery } from '#sandbox/kit/oauth.ts'
import { addSandboxObject, findSandboxObject, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { CONNECTED_ACCOUNTS, OAUTH_CODES, runAndSendEvents, type StripeSandboxContext } from './world.ts'

const webUrl = z.url({ protocol: /^https?$/ })
const authorization = z.object({
  client_id: z.string(),
  response_type: z.literal('code'),
  scope: z.literal('read_write'),
  redirect_uri: webUrl,
  state: z.string().max(500),
})
const decision = z.object({
  redirect_uri: webUrl,
  state: z.string().max(500),
  decision: z.enum(['allow', 'cancel']),
})
const tokenBody = z.object({ grant_type: z.literal('authorization_code'), code: z.string().max(100) })
const deauthorization = z.object({ client_id: z.string(), stripe_user_id: z.string().max(100) })

/** Registers the pages to connect and disconnect an account. Source: https://docs.stripe.com/connect/oauth-reference */
export function registerConnectPages(app: FastifyInstance, world: StripeSandboxContext): void {
  app.get('/oauth/authorize', async (request, reply) => {
    const asked = authorization.safeParse(request.query)
    if (!asked.success || asked.data.client_id !== world.clientId) {
      const alert = 'This address does not name a platform that Stripe knows.'
      return sendSandboxPage(reply.code(400), { provider: 'Stripe', title: 'Cannot connect', alert })
    }
    const { redirect_uri, state } = asked.data
    const body = html`<form class="card" method="post">
<p>Meridian wants to take payments for you: read and write access to a new Stripe test account.</p>
<input type="hidden" name="redirect_uri" value="${redirect_uri}">
<input type="hidden" name="state" value="${state}">
<div class="actions">
<button class="main" name="decision" value="allow">Allow access</button>
<button name="decision" value="cancel">Cancel</button>
</div>
</form>`
    return sendSandboxPage(reply, { provider: 'Stripe', title: 'Connect with Meridian', body })
  })

  app.post('/oauth/authorize', async (request, reply) => {
    const decided = decision.parse(request.body)
    const answer =
      decided.decision === 'allow'
        ? { scope: 'read_write', code: await allow(world) }
        : oauthError('access_denied', 'The user denied your request')
    return reply.redirect(withQuery(decided.redirect_uri, { state: decided.state, ...answer }), 303)
  })

  app.post('/oauth/token', async (request, reply) => {
    const asked = tokenBody.safeParse(request.body)
    if (!asked.success) return reply.code(400).send(oauthError('invalid_request', 'No authorization code'))
    const accountId = await redeemCode(world, asked.data.code)
    if (accountId === null) {
      const description = 'Authorization code does not exist, or was used already'
      return reply.code(400).send(oauthError('invalid_grant', description))
    }
    return {
      access_token: world.secretKey,
      livemode: false,
      scope: 'read_write',
      stripe_publishable_key: 'pk_test_sandbox',
      stripe_user_id: accountId,
      token_type: 'bearer',
    }
  })

  app.post('/oauth/deauthorize', async (request, reply) => {
    const asked = deauthorization.safeParse(request.body)
    const id = asked.data?.stripe_user_id ?? ''
    if (asked.data?.client_id !== world.clientId || !(await disconnectAccount(world, id))) {
      const description = `This application is not connected to stripe account ${id}, or that account does not exist.`
      return reply.code(401).send(oauthError('invalid_client', description))
    }
    return { stripe_user_id: id }
  })
}

/** Disconnects an account and sends an event. Returns false when it was already disconnected. */
export async function disconnectAccount(world: StripeSandboxContext, id: string): Promise<boolean> {
  const { isCut } = await runAndSendEvents(world, async (trx) => {
    const gone = { id, isConnected: false }
    if (!(await addSandboxObject(trx, CONNECTED_ACCOUNTS, id, gone))) {
      const account = await findSandboxObject(trx, CONNECTED_ACCOUNTS, id, { lock: true })
      if (account?.isConnected === false) return { isCut: false, events: [] }
      await saveSandboxObject(trx, CONNECTED_ACCOUNTS, id, gone)
    }
    const object = { id: world.clientId, object: 'application', name: 'Meridian' }
    return {
      isCut: true,
      events: [{ type: 'account.application.deauthorized', accountId: id, object } as const],
    }
  })
  return isCut
}

/** Creates a connected account, and returns a one-time code for it. */
async function allow(world: StripeSandboxContext): Promise<string> {
  const accountId = `acct_${randomBytes(8).toString('hex')}`
  const code = `ac_${randomBytes(16).toString('hex')}`
  await addSandboxObject(world.db, CONNECTED_ACCOUNTS, accountId, { id: accountId, isConnected: true })
  await addSandboxObject(world.db, OAUTH_CODES, code, { accountId, isUsed: false })
  return code
}

async function redeemCode(world: StripeSandboxContext, code: string): Promise<string | null> {
  const { accountId } = await runAndSendEvents(world, async (trx) => {
    const kept = await findSandboxObject(trx, OAUTH_CODES, code, { lock: true })
    if (kept === null || kept.isUsed) return { accountId: null, events: [] }
    await saveSandboxObject(trx, OAUTH_CODES, code, { ...kept, isUsed: true })
    return { accountId: kept.accountId, events: [] }
  })
  return accountId
}
