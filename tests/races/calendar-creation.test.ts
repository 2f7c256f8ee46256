import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreateCalendarBody } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { makeOwner, startMeridian, type TestMeridian, type TestOwner } from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { queryNumber, startOnPostgresServer } from '#tests/support/race-track.ts'

const TRACKS = [
  { where: 'a server', start: () => startOnPostgresServer({ poolSize: 20 }) },
  { where: 'the embedded database', start: () => startMeridian() },
]

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian
  let owners: TestOwner[]

  beforeAll(async () => {
    meridian = await start()
    owners = []
    for (let i = 0; i < 6; i += 1) owners.push(await makeOwner(meridian, { tier: 'business' }))
  })
  afterAll(() => meridian.stop())

  test.each([
    { tier: undefined, limit: 1 },
    { tier: 'professional', limit: 3 },
  ] as const)(
    'of 12 calendars that one owner creates at once, the plan ($tier) lets $limit through',
    async ({ tier, limit }) => {
      const owner = await makeOwner(meridian, tier === undefined ? {} : { tier })
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => create(owner, { name: `Practice ${i}` })),
      )
      const refused = answers.filter((answer) => answer.statusCode !== 201)
      expect(refused.map((answer) => answer.json().title)).toEqual(
        Array(12 - limit).fill(PROBLEMS['calendar.limit_reached'].title),
      )
      expect(
        await queryNumber(meridian.database, 'select count(*) from calendars where user_id = $1', [owner.id]),
      ).toBe(limit)
    },
  )

  test('of 6 presses on Duplicate at once, with one key, one makes a copy and all answer with it', async () => {
    const owner = await makeOwner(meridian, { tier: 'professional' })
    const { id } = (await create(owner, { name: 'Original' })).json()
    const request = {
      method: 'POST',
      url: `/api/calendars/${id}/copies`,
      cookie: owner.cookie,
      headers: { 'idempotency-key': 'one dialog' },
      payload: { name: 'Copy of Original' },
    } as const
    const answers = await Promise.all(Array.from({ length: 6 }, () => meridian.request(request)))
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(6).fill(201))
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
    const own = 'select count(*) from calendars where user_id = $1'
    expect(await queryNumber(meridian.database, own, [owner.id])).toBe(2)
  })

  test('of 6 copies made at once, the plan lets 2 through', async () => {
    const owner = await makeOwner(meridian, { tier: 'professional' })
    const { id } = (await create(owner, { name: 'Original' })).json()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => owner.post(`/api/calendars/${id}/copies`, { name: 'Copy' })),
    )
    const statuses = answers.map((answer) => answer.statusCode)
    expect(statuses.sort()).toEqual([201, 201, 402, 402, 402, 402])
  })

  test('a booking link that 6 owners type at once is given to one of them', async () => {
    const answers = await Promise.all(
      owners.map((owner, i) => create(owner, { name: `Typed ${i}`, slug: 'wanted-by-all' })),
    )
    const refused = answers.filter((answer) => answer.statusCode !== 201)
    expect(refused.map((answer) => answer.json().title)).toEqual(
      Array(5).fill(PROBLEMS['calendar.slug_taken'].title),
    )
  })

  test('6 owners who give the same name at once get 6 different links', async () => {
    const answers = await Promise.all(owners.map((owner) => create(owner, { name: 'Same Name' })))
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(6).fill(201))
    expect(answers.map((answer) => answer.json().slug).sort()).toEqual([
      'same-name',
      ...[2, 3, 4, 5, 6].map((number) => `same-name-${number}`),
    ])
  })

  test('links that are numbered into each other are still given out once each', async () => {
    const names = ['Cross', 'Cross 2', 'Cross', 'Cross 2', 'Cross', 'Cross 2']
    const answers = await Promise.all(owners.map((owner, i) => create(owner, { name: names[i] ?? '' })))
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(6).fill(201))
    expect(new Set(answers.map((answer) => answer.json().slug)).size).toBe(6)
  })

  test('four simultaneous registrations of one address leave one that counts, no account yet, and tell nobody of it', async () => {
    const body = { full_name: 'Ada Lovelace', email: 'twice@example.com', password: 'correct horse battery' }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => meridian.post('/api/auth/sign-up', body)),
    )
    expect(answers.map((answer) => [answer.statusCode, answer.body])).toEqual(
      Array(4).fill([200, '{"ok":true}']),
    )
    const count = (table: string) =>
      queryNumber(meridian.database, `select count(*) from ${table} where email = $1`, [body.email])
    // The job that writes the latest email deletes the earlier registrations.
    await expect.poll(() => count('registrations'), { timeout: 20_000 }).toBe(1)
    expect(await count('profiles')).toBe(0)
  })
}, TRACKS)

function create(owner: TestOwner, body: CreateCalendarBody): Promise<LightMyRequestResponse> {
  return owner.post('/api/calendars', body)
}
