import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { catchCalendarProviderError as failureOf } from '#tests/support/calendar-access.ts'
import { startTokenServer } from '#tests/support/token-server.ts'
import { buildAuthorizationUrl } from './build-authorization-url.ts'
import { buildOAuthClient } from './oauth-client.ts'
import type { OAuthTokens } from './oauth-tokens.ts'

const NOW = Date.parse('2027-01-04T08:00:00Z')
const TOKENS: OAuthTokens = {
  accessToken: 'first',
  expiresAtMs: NOW,
  refreshToken: 'refresh',
  grantedScopes: ['one', 'two'],
}
const CODE = { code: 'the code', codeVerifier: 'v'.repeat(43), redirectUri: 'https://meridian.example/back' }

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function start(...answers: Parameters<typeof startTokenServer>) {
  const server = await startTokenServer(...answers)
  stops.push(server.stop)
  const settings = {
    provider: 'Anybody',
    issuer: server.url,
    authorizationUrl: `${server.url}/authorize`,
    tokenUrl: `${server.url}/token`,
    revocationUrl: `${server.url}/revoke`,
    clientId: 'client',
    clientSecret: 'the secret',
    // The time limit is short for requests without a response, and otherwise generous for a busy machine.
    timeoutMs: answers.includes(null) ? 500 : 20_000,
    now: () => NOW,
  }
  return { client: buildOAuthClient(settings), asked: server.asked }
}

const granted = (more: object = {}) => ({
  status: 200,
  body: { access_token: 'second', token_type: 'Bearer', expires_in: 3_600, ...more },
})
const refused = (status: number, error: string) => ({ status, body: { error, error_description: 'no' } })

test('the consent page gets the challenge of the verifier, which stays here', () => {
  const settings = { authorizationUrl: 'https://provider.example/authorize', clientId: 'client' }
  const request = { ...CODE, state: 'the state', accountName: 'grace@example.com' }
  const url = buildAuthorizationUrl(settings, request, { scope: 'openid calendar', prompt: 'consent' })
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    response_type: 'code',
    client_id: 'client',
    redirect_uri: CODE.redirectUri,
    state: 'the state',
    code_challenge: createHash('sha256').update(CODE.codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: 'grace@example.com',
    scope: 'openid calendar',
    prompt: 'consent',
  })
})

test('a code becomes tokens, with the verifier and the address that it was sent to', async () => {
  const { client, asked } = await start(granted({ refresh_token: 'refresh', scope: 'one two' }))
  expect(await client.exchangeCode(CODE)).toEqual({
    tokens: { ...TOKENS, accessToken: 'second', expiresAtMs: NOW + 3_600_000 },
    claims: null,
  })
  expect(asked).toMatchObject([
    {
      grant_type: 'authorization_code',
      code: 'the code',
      code_verifier: CODE.codeVerifier,
      redirect_uri: CODE.redirectUri,
      client_id: 'client',
      client_secret: 'the secret',
    },
  ])
})

test('a code without a lasting token is refused', async () => {
  const { client } = await start(granted())
  expect(await failureOf(client.exchangeCode(CODE))).toMatchObject({ kind: 'refused' })
})

test('a code that was used or is too old is refused, and is no account that expired', async () => {
  const { client } = await start(refused(400, 'invalid_grant'))
  expect(await failureOf(client.exchangeCode(CODE))).toMatchObject({ kind: 'refused' })
})

test('a renewal keeps the refresh token, or takes the new one where the provider changes it', async () => {
  const kept = await start(granted())
  expect(await kept.client.refresh(TOKENS)).toEqual({
    ...TOKENS,
    accessToken: 'second',
    expiresAtMs: NOW + 3_600_000,
  })
  const rotated = await start(granted({ refresh_token: 'rotated', scope: 'one' }))
  expect(await rotated.client.refresh(TOKENS)).toMatchObject({
    refreshToken: 'rotated',
    grantedScopes: ['one'],
  })
})

test.each([
  ['invalid_grant', refused(400, 'invalid_grant'), 'expired', null],
  ['an account that is to sign in again', refused(400, 'interaction_required'), 'expired', null],
  ['a key that the provider does not know', refused(401, 'invalid_client'), 'refused', null],
  ['any other refusal', refused(400, 'invalid_scope'), 'refused', null],
  ['a fault that the provider names', refused(503, 'temporarily_unavailable'), 'unavailable', null],
  ['a fault of a proxy', { status: 502, body: '<h1>no</h1>' }, 'unavailable', null],
  [
    'too many requests',
    { status: 429, body: 'slow down', headers: { 'retry-after': '7' } },
    'rate_limited',
    7_000,
  ],
  ['an answer that is no JSON', { status: 200, body: 'hello' }, 'unavailable', null],
  ['silence', null, 'unavailable', null],
] as const)('%s is said in the words of the port', async (_what, answer, kind, retryAfterMs) => {
  const { client } = await start(answer)
  const failure = await failureOf(client.refresh(TOKENS))
  expect(failure).toMatchObject({ kind, retryAfterMs })
  expect(`${failure} ${failure.cause}`).not.toMatch(/the secret|refresh/)
})

test('what is withdrawn already counts as withdrawn', async () => {
  const { client, asked } = await start({ status: 200, body: {} }, refused(400, 'invalid_token'))
  await client.revoke(TOKENS)
  await client.revoke(TOKENS)
  expect(asked).toMatchObject([{ token: 'refresh' }, { token: 'refresh' }])
})

test('a withdrawal that nobody answers is not done', async () => {
  const { client } = await start(null)
  expect(await failureOf(client.revoke(TOKENS))).toMatchObject({ kind: 'unavailable' })
})
