import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Html, html } from '#sandbox/kit/html.ts'
import { withQuery } from '#sandbox/kit/oauth.ts'
import { addSandboxObject, findSandboxObject, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { authorizationCodesOf } from './access.ts'
import { accountKey } from './account.ts'
import { ensureAccount } from './people.ts'
import { sendProviderPage } from './send-provider-page.ts'
import { accountsOf, type CalendarSandboxContext } from './world.ts'

/** The part of an authorization request that all providers share. Source: RFC 6749 §4.1.1; RFC 7636 §4.3. */
export const authorizationRequestSchema = z.object({
  client_id: z.string(),
  response_type: z.literal('code'),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  scope: z.string().min(1).max(2_000),
  state: z.string().max(500),
  code_challenge: z.string().min(43).max(128),
  code_challenge_method: z.literal('S256'),
  login_hint: z.string().max(254).optional(),
})
type AuthorizationRequest = z.infer<typeof authorizationRequestSchema>

/** The submitted form. Further fields are the names of ticked boxes. */
const decision = z.looseObject({
  email: z
    .email()
    .max(254)
    .transform((email) => email.toLowerCase()),
})
type Decision = z.infer<typeof decision>

/** The differences between the providers' consent pages. */
export type ConsentPage<Asked extends AuthorizationRequest> = {
  readonly path: string
  readonly request: z.ZodType<Asked>
  readonly title: string
  /** The page's title when the app is unknown. */
  readonly unknownTitle: string
  /** The button that grants access. */
  readonly yes: { readonly value: string; readonly label: string }
  /** Describes the requested scopes, above the buttons. */
  readonly describe: (scopes: readonly string[]) => Html
  readonly newCode: () => string
  /** Returns the requested scopes that the person grants. */
  readonly choose: (asked: Asked, decided: Decision) => readonly string[]
  /** True when scopes that the account granted earlier remain granted. */
  readonly keepsEarlier: (asked: Asked) => boolean
  /** Returns the query parameters of the redirect, besides `state`. */
  readonly answer: (
    outcome: 'cancelled' | { readonly code: string; readonly scopes: readonly string[] },
  ) => Readonly<Record<string, string>>
}

/** Registers the page on which a person grants an app access. */
export function registerConsentPage<Asked extends AuthorizationRequest>(
  app: FastifyInstance,
  world: CalendarSandboxContext,
  page: ConsentPage<Asked>,
): void {
  const read = (query: unknown): Asked | null => {
    const { data } = page.request.safeParse(query)
    return data?.client_id === world.clientId ? data : null
  }

  app.get(page.path, async (request, reply) => {
    const asked = read(request.query)
    return asked === null ? sendUnknownApp(world, reply, page) : sendConsent(world, reply, page, asked)
  })

  app.post(page.path, async (request, reply) => {
    const asked = read(request.query)
    if (asked === null) return sendUnknownApp(world, reply, page)
    const decided = decision.extend({ decision: z.enum([page.yes.value, 'cancel']) }).safeParse(request.body)
    if (!decided.success) {
      return sendConsent(world, reply.code(400), page, asked, 'Please type an email address.')
    }
    const outcome =
      decided.data.decision === 'cancel' ? 'cancelled' : await allow(world, page, asked, decided.data)
    const answer = { state: asked.state, ...page.answer(outcome) }
    return reply.redirect(withQuery(asked.redirect_uri, answer), 303)
  })
}

async function allow<Asked extends AuthorizationRequest>(
  world: CalendarSandboxContext,
  { choose, keepsEarlier, newCode }: ConsentPage<Asked>,
  asked: Asked,
  decided: Decision,
): Promise<{ code: string; scopes: string[] }> {
  const { email } = decided
  const accounts = accountsOf(world.provider)
  await ensureAccount(world, email)
  const scopes = await inTransaction(world.db, async (trx) => {
    const account = await findSandboxObject(trx, accounts, accountKey(email), { lock: true })
    if (account === null) throw new Error('an account of the stand-in is gone')
    const earlier = keepsEarlier(asked) ? account.grantedScopes : []
    const grantedScopes = [...new Set([...earlier, ...choose(asked, decided)])]
    // A new consent ends the revocation.
    const faults = { ...account.faults, isRevoked: false }
    await saveSandboxObject(trx, accounts, accountKey(email), { ...account, grantedScopes, faults })
    return grantedScopes
  })
  const code = newCode()
  const kept = {
    email,
    scopes,
    redirectUri: asked.redirect_uri,
    codeChallenge: asked.code_challenge,
    isUsed: false,
  }
  await addSandboxObject(world.db, authorizationCodesOf(world.provider), code, kept)
  return { code, scopes }
}

function sendConsent<Asked extends AuthorizationRequest>(
  { words }: CalendarSandboxContext,
  reply: FastifyReply,
  { title, describe, yes }: ConsentPage<Asked>,
  { scope, login_hint }: Asked,
  alert?: string,
): FastifyReply {
  const body = html`<form class="card" method="post">
<label for="email">Email address of the ${words.provider} account</label>
<input id="email" name="email" type="email" value="${login_hint ?? words.exampleEmail}" maxlength="254" autocomplete="off" required>
${describe(scope.split(' '))}
<div class="actions">
<button class="main" name="decision" value="${yes.value}">${yes.label}</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
</div>
</form>`
  return sendProviderPage(reply, { words, title, alert, body })
}

function sendUnknownApp(
  { words }: CalendarSandboxContext,
  reply: FastifyReply,
  { unknownTitle: title }: { readonly unknownTitle: string },
): FastifyReply {
  const alert = `This address does not name an app that ${words.provider} knows.`
  return sendProviderPage(reply.code(400), { words, title, alert })
}
