import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOwner, TEST_PASSWORD, type TestMeridian, waitFor } from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import { DATABASE_SETUPS, queryNumber, waitUntilEmailsSent } from '#tests/support/race-track.ts'

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian

  beforeAll(async () => {
    meridian = await start()
  })
  afterAll(() => meridian.stop())

  test('of ten registrations of one address at once one counts: one link makes the account, with its own password', async () => {
    const email = 'raced@example.com'
    await Promise.all(Array.from({ length: 10 }, (_, i) => register(email, `password number ${i}`)))
    await waitUntilEmailsSent(meridian.database)
    const count = 'select count(*) from registrations where email = $1'
    expect(await queryNumber(meridian.database, count, [email])).toBe(1)
    const links = tokensTo(email)
    const answers = await Promise.all(links.map(confirm))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const refused = answers.filter(({ statusCode }) => statusCode !== 200)
    for (const answer of refused) expect(answer.json().code).toBe('auth.registration_replaced')
    const logins = []
    for (let i = 0; i < 10; i += 1) logins.push((await signIn(email, `password number ${i}`)).statusCode)
    expect(logins.filter((status) => status === 200)).toHaveLength(1)
    const profiles = 'select count(*) from profiles where email = $1'
    expect(await queryNumber(meridian.database, profiles, [email])).toBe(1)
  })

  test('a link that is opened five times at once makes one account and says yes each time', async () => {
    const email = 'opened-often@example.com'
    await register(email, TEST_PASSWORD)
    const [token = ''] = await waitFor(() => (tokensTo(email).length > 0 ? tokensTo(email) : null))
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(token)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200))
    const accounts = 'select count(*) from accounts join profiles on profiles.id = user_id where email = $1'
    expect(await queryNumber(meridian.database, accounts, [email])).toBe(1)
  })

  test('an address that is registered and moved to at once belongs to one of both, and the other link is refused', async () => {
    const email = 'wanted-twice@example.com'
    const owner = await makeOwner(meridian)
    await register(email, 'the password of the registration')
    const registered = await waitFor(() => tokensTo(email)[0])
    const payload = { email, current_password: TEST_PASSWORD }
    await owner.patch('/api/profile', payload)
    const moved = await waitFor(() => tokensTo(email)[1])
    const answers = await Promise.all([confirm(registered), post('email-change', { token: moved })])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
    const profiles = 'select count(*) from profiles where email = $1'
    expect(await queryNumber(meridian.database, profiles, [email])).toBe(1)
  })

  function register(email: string, password: string) {
    return post('sign-up', { full_name: 'Ada Lovelace', email, password })
  }

  function confirm(token: string) {
    return post('email-verification', { token })
  }

  function signIn(email: string, password: string) {
    return post('sign-in', { email, password })
  }

  function post(path: string, payload: object) {
    return meridian.post(`/api/auth/${path}`, payload)
  }

  function tokensTo(email: string): string[] {
    return meridian.mails
      .filter(({ to }) => to.address === email)
      .map(({ text }) => decodeURIComponent(/token=(\S+)/.exec(text)?.[1] ?? ''))
  }
}, DATABASE_SETUPS.slice(1))
