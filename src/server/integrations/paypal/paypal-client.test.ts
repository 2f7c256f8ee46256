import fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { buildPaypalClient } from './paypal-client.ts'

const APP = { clientId: 'id', clientSecret: 'secret', mode: 'live', webhookId: null } as const
const QUESTION = { method: 'GET', path: '/anything', reply: z.object({ by: z.string() }) } as const

/** Issues token-1, token-2 …, each valid for an hour. */
let given = 0
let withdrawn = ''
const server = fastify()
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', async () => null)
server.post('/v1/oauth2/token', async () => {
  given += 1
  return { access_token: `token-${given}`, expires_in: 3_600 }
})
server.get('/anything', async ({ headers }, reply) =>
  headers.authorization === withdrawn
    ? reply.code(401).send({ error: 'invalid_token', error_description: 'The token is not valid' })
    : { by: headers.authorization },
)

let sandboxUrl: string
beforeAll(async () => {
  sandboxUrl = await server.listen({ host: '127.0.0.1', port: 0 })
})
beforeEach(() => {
  given = 0
  withdrawn = ''
})
afterAll(() => server.close())

test('a token is used until its last minute', async () => {
  let nowMs = 0
  const client = buildPaypalClient({ sandboxUrl, now: () => nowMs })
  const ask = () => client.ask(APP, QUESTION)
  expect(await ask()).toEqual({ by: 'Bearer token-1' })
  nowMs = 58 * 60_000
  expect(await ask()).toEqual({ by: 'Bearer token-1' })
  nowMs = 59 * 60_000
  expect(await ask()).toEqual({ by: 'Bearer token-2' })
})

test('a token that PayPal has withdrawn is replaced, and that of another app is not touched', async () => {
  const client = buildPaypalClient({ sandboxUrl, now: () => 0 })
  const other = { ...APP, clientId: 'other' }
  expect(await client.ask(APP, QUESTION)).toEqual({ by: 'Bearer token-1' })
  expect(await client.ask(other, QUESTION)).toEqual({ by: 'Bearer token-2' })
  withdrawn = 'Bearer token-1'
  expect(await client.ask(APP, QUESTION)).toEqual({ by: 'Bearer token-3' })
  expect(await client.ask(other, QUESTION)).toEqual({ by: 'Bearer token-2' })
})
