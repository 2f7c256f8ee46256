import { beforeEach, expect, test } from 'vitest'
import { buildSecretBox } from '#server/platform/secrets/secret-box.ts'
import { type CalendarAccess, CalendarProviderError } from '#server/ports/external-calendar.ts'
import {
  type ConnectedOwner,
  makeConnectedOwner,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import { ACCESS_EXPIRED, makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { withProviderAccess } from './access-use-cases.ts'

let connected: ConnectedOwner
let accounts = 0
const google = makeFakeCalendarProvider({ hasPush: false })

setUpMeridian({ calendarProviders: { google } })
beforeEach(async () => {
  accounts += 1
  connected = await makeConnectedOwner(meridian, `edith-${accounts}`)
  await waitUntilCalendarJobsFinish(meridian)
})

test('cal#11913: when two processes renew credentials at once, the second uses those of the first', async () => {
  const used = await useAccess(async (mine) => {
    await useAccess((theirs) => theirs.saveCredentials('theirs'))
    return mine.saveCredentials('mine')
  })
  expect(used).toBe('theirs')
  expect(await useAccess(async ({ credentials }) => credentials)).toBe('theirs')
})

test('credentials that are renewed twice in one call are both stored', async () => {
  await useAccess(async (access) => {
    await access.saveCredentials('first')
    await access.saveCredentials('second')
  })
  expect(await useAccess(async ({ credentials }) => credentials)).toBe('second')
})

test('the provider gets the owner’s email address once it is verified (rule G27)', async () => {
  const setVerified = (isVerified: boolean) =>
    meridian.database.execute('update profiles set email_verified = $2 where email = $1', [
      connected.owner.email,
      isVerified,
    ])
  const findEmail = () => useAccess(async ({ findOwnerEmail }) => findOwnerEmail?.())
  await setVerified(true)
  expect(await findEmail()).toBe(connected.owner.email)
  await setVerified(false)
  expect(await findEmail()).toBeNull()
})

test('credentials can only be decrypted for their connection and with the installation’s key', async () => {
  const other = await makeConnectedOwner(meridian, `edith-other-${accounts}`)
  await meridian.database.execute(
    `update calendar_connections set credentials_encrypted = (
       select credentials_encrypted from calendar_connections where id = $2
     ) where id = $1`,
    [connected.connectionId, other.connectionId],
  )
  await expect(useAccess(async () => {})).rejects.toMatchObject({ kind: 'expired' })
  const deps = { ...meridian.deps, secrets: buildSecretBox('another key of the installation, long enough') }
  await expect(withProviderAccess(deps, other.connectionId, async () => {})).rejects.toMatchObject({
    kind: 'expired',
  })
  expect(await readStates([connected, other])).toEqual(['expired', 'expired'])
})

test('refused credentials make the connection expired, and the provider is not asked again', async () => {
  await expect(useAccess(() => Promise.reject(ACCESS_EXPIRED))).rejects.toBe(ACCESS_EXPIRED)
  let asked = 0
  const again = useAccess(async () => {
    asked += 1
  })
  await expect(again).rejects.toMatchObject({ kind: 'expired' })
  expect(asked).toBe(0)
})

test('any other failure does not change the connection', async () => {
  const error = new CalendarProviderError('forbidden', 'Not allowed.')
  await expect(useAccess(() => Promise.reject(error))).rejects.toBe(error)
  expect(await readStates([connected])).toEqual(['active'])
})

test('an unknown connection or provider is reported as such', async () => {
  const gone = withProviderAccess(meridian.deps, connected.calendarId, async () => {})
  await expect(gone).rejects.toMatchObject({ kind: 'gone' })
  const without = withProviderAccess(
    { ...meridian.deps, calendarProviders: {} },
    connected.connectionId,
    async () => {},
  )
  await expect(without).rejects.toMatchObject({ kind: 'refused' })
})

function useAccess<Answer>(use: (access: CalendarAccess) => Promise<Answer>): Promise<Answer> {
  return withProviderAccess(meridian.deps, connected.connectionId, (_provider, access) => use(access))
}

async function readStates(owners: readonly ConnectedOwner[]): Promise<unknown[]> {
  const states: unknown[] = []
  for (const { connectionId } of owners) {
    const { rows } = await meridian.database.execute('select state from calendar_connections where id = $1', [
      connectionId,
    ])
    states.push(rows[0]?.state)
  }
  return states
}
