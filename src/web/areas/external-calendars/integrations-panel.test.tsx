// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ExternalCalendar, ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import {
  CALENDAR_ID,
  makeCalendar,
  makeConnection,
  makeExternalCalendar,
  makeExternalCalendars,
  makeSubscription,
} from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { currentToast } from '#web/ui/toast-store.ts'
import { IntegrationsPanel } from './integrations-panel.tsx'

const PATH = `/api/calendars/${CALENDAR_ID}`
const READ = `GET ${PATH}/external-calendars`
const CHANGES = `GET ${PATH}/external-changes`
const FEED = `GET ${PATH}/feed`
const SETTINGS = `PATCH ${PATH}/external-calendars/settings`
const CHOICE = `PUT ${PATH}/external-calendars/choice`
const SYNC = `POST ${PATH}/external-calendars/sync`
const CALDAV = `POST ${PATH}/external-calendars/caldav`
const ICS = `POST ${PATH}/external-calendars/ics`
const authorization = (provider: string) => `POST ${PATH}/external-calendars/${provider}/authorization`
const IN_PLAN = makeSubscription({
  limits: { calendars: 1, integrations: ['google_calendar', 'stripe'], features: [] },
})

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-12-01T10:00:30Z'))
})

describe('before anything is connected', () => {
  test('each provider of the installation has a card with what it does, and no other has one', async () => {
    open({ offered: ['google', 'caldav', 'ics'] })
    expect(await screen.findByRole('button', { name: 'Connect to Google Calendar' })).toBeDefined()
    expect(
      screen.getByText(/^We don’t offer customers times when you’re busy in Google Calendar/),
    ).toBeDefined()
    expect(screen.getByRole('button', { name: 'Connect to CalDAV' })).toBeDefined()
    expect(screen.getByRole('button', { name: 'Add an address' })).toBeDefined()
    expect(screen.queryByText('Microsoft 365')).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Your calendars' })).toBeNull()
  })

  test.each([
    ['Connect to Google Calendar', 'write'],
    ['Read only (Google Calendar)', 'read'],
  ])('“%s” asks for access to %s, and leads to the page of the provider', async (name, access) => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    const { user, api } = open()
    const held = heldResponse({ authorization_url: 'https://accounts.google.example/consent' })
    api.answer(authorization('google'), held.answer)
    await user.click(await screen.findByRole('button', { name }))
    expect(screen.getByRole('button', { name: 'Connecting...' })).toBeDefined()
    held.release()
    await waitFor(() => expect(leave).toHaveBeenCalledWith('https://accounts.google.example/consent'))
    expect(api.to(authorization('google'))[0]?.body).toEqual({ access, returns_to: 'dashboard' })
    expect(screen.getByRole('button', { name: 'Connecting...' })).toBeDefined()
  })

  test.each([
    ['google', 'Google Calendar', 'Failed to get Google authorization URL'],
    ['microsoft', 'Microsoft 365', 'Failed to get Microsoft authorization URL'],
  ] as const)('no address from %s is said', async (provider, name, sentence) => {
    const { user, api } = open()
    api.answer(authorization(provider), errorResponse('external_calendar.authorization_failed'))
    await user.click(await screen.findByRole('button', { name: `Connect to ${name}` }))
    expect(await screen.findByText(sentence)).toBeDefined()
    api.answer(authorization(provider), errorResponse('external_calendar.not_in_plan'))
    await user.click(screen.getByRole('button', { name: `Connect to ${name}` }))
    expect(
      await screen.findByText(
        `Failed to connect to ${name}: External calendars are not available on your plan.`,
      ),
    ).toBeDefined()
  })

  test('a plan without them says so on each card and leads to the prices', async () => {
    open({ offered: ['google'] }, makeSubscription({ subscription_tier: 'Free' }))
    expect(await screen.findByText('Google Calendar is not available on the Free plan.')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Upgrade Plan' }).getAttribute('href')).toBe('/pricing')
    expect(screen.queryByRole('button', { name: 'Connect to Google Calendar' })).toBeNull()
  })

  test('a sandbox is marked and leads to the page on which one adds events', async () => {
    open({ offered: ['google'], sandbox: [{ provider: 'google', page: 'http://localhost:9/calendar' }] })
    expect(await screen.findByText(/^Sandbox: /)).toBeDefined()
    const link = screen.getByRole('link', { name: 'Open its calendar (Google Calendar)' })
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([
      'http://localhost:9/calendar',
      '_blank',
    ])
  })
})

describe('what other calendars of the person read', () => {
  const family = { id: '00000000-0000-4000-8000-000000000a11', name: 'Family law' }
  const estate = { id: '00000000-0000-4000-8000-000000000a12', name: 'Estate law' }
  const unread = (read_by_other: typeof family | null, id = '901') =>
    makeExternalCalendar({
      id: `00000000-0000-4000-8000-000000000${id}`,
      name: `Calendar ${id}`,
      reads_busy_times: false,
      read_by_other,
    })

  test('is said in a sentence that leads there, and the account counts as read for it (rule G32)', async () => {
    open({ connections: [makeConnection({ calendars: [unread(family)] })] })
    const link = await screen.findByRole('link', { name: 'Family law' })
    expect(link.getAttribute('href')).toBe(`/calendar/${family.id}/settings?tab=integrations`)
    expect(link.parentElement?.textContent).toBe(
      'What counts as busy for Family law counts here, too, because both are calendars of Meredith Grey.',
    )
    expect(screen.getAllByText('Read for Family law')).toHaveLength(2)
    expect(screen.queryByText('Connected')).toBeNull()
    expect(screen.queryByText('Connected to Google Calendar')).toBeNull()
    const box = screen.getByRole('checkbox', { name: /Calendar 901/ })
    expect(box.getAttribute('aria-checked') ?? (box as HTMLInputElement).checked.toString()).toBe('false')
    expect(screen.getByText('Already counts, because Family law reads it.')).toBeDefined()
    expect(screen.getByText(/every calendar has been checked/)).toBeDefined()
    expect(
      screen.getByText(/For the others, the setting of the calendar that reads them applies\.$/),
    ).toBeDefined()
  })

  test('is named for each of them', async () => {
    open({ connections: [makeConnection({ calendars: [unread(family), unread(estate, '902')] })] })
    const link = await screen.findByRole('link', { name: 'Estate law' })
    expect(link.parentElement?.textContent).toBe(
      'What counts as busy for Family law and Estate law counts here, too, because all of them are calendars of Meredith Grey.',
    )
  })

  test('is no news for an account that this calendar uses itself, and nothing is said where it is all', async () => {
    open({
      connections: [makeConnection({ calendars: [makeExternalCalendar(), unread(null, '902')] })],
    })
    expect(await screen.findByText('Connected')).toBeDefined()
    expect(screen.queryByText(/counts here, too/)).toBeNull()
    expect(screen.queryByText(/For the others/)).toBeNull()
  })

  test('nor does an account count as connected of which nothing is used (rule G32)', async () => {
    open({ connections: [makeConnection({ calendars: [unread(null)] })] })
    expect(await screen.findByText('Not used')).toBeDefined()
    expect(screen.getByText('Not used for this calendar')).toBeDefined()
    expect(screen.queryByText('Connected')).toBeNull()
  })
})

describe('an account', () => {
  test('says that it is connected, whose it is, when it was checked and what waits', async () => {
    open({ connections: [makeConnection()], waiting_events: 3 })
    const account = within(await screen.findByRole('region', { name: 'meredith@gmail.example' }))
    expect(account.getByText('Connected to Google Calendar')).toBeDefined()
    expect(account.getByText('Checked 2 minutes ago · 3 appointments waiting to be added')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Connect another account' })).toBeDefined()
  })

  test('is synced now, and the card says what is new', async () => {
    const { user, api } = open({ connections: [makeConnection({ last_success_at: null })] })
    const held = heldResponse({
      is_running: false,
      external_calendars: makeExternalCalendars({ connections: [makeConnection()] }),
    })
    api.answer(SYNC, held.answer)
    await user.click(await screen.findByRole('button', { name: 'Sync Now' }))
    expect(screen.getByRole('button', { name: 'Syncing...' })).toBeDefined()
    held.release()
    expect(await screen.findByText('Calendar synced with Google Calendar')).toBeDefined()
    expect(screen.getByText('Checked 2 minutes ago')).toBeDefined()
  })

  test('whose sync takes long is not said to be synced', async () => {
    const { user, api } = open({ connections: [makeConnection()] })
    const external_calendars = makeExternalCalendars({ connections: [makeConnection()] })
    api.answer(SYNC, { is_running: true, external_calendars })
    await user.click(await screen.findByRole('button', { name: 'Sync Now' }))
    expect(
      await screen.findByText('The sync is still running. It continues even if you leave this page.'),
    ).toBeDefined()
    expect(screen.queryByText('Calendar synced with Google Calendar')).toBeNull()
    expect(screen.getByRole('button', { name: 'Sync Now' })).toBeDefined()
  })

  test('that could not be synced says why, and the card what is wrong and when we try again', async () => {
    const { user, api } = open({ connections: [makeConnection()] })
    const said = { path: 'provider', message: 'meredith@gmail.example: Google didn’t respond.' }
    api.answer(SYNC, errorResponse('external_calendar.sync_failed', [said]))
    const sync = await screen.findByRole('button', { name: 'Sync Now' })
    api.answer(
      READ,
      makeExternalCalendars({ connections: [makeConnection({ problem: 'Google didn’t respond.' })] }),
    )
    await user.click(sync)
    expect(
      await screen.findByText('Sync failed: meredith@gmail.example: Google didn’t respond.'),
    ).toBeDefined()
    expect(
      screen.getByText(
        'We’ll try again automatically. If it fails again, open Integrations and reconnect the account.',
      ),
    ).toBeDefined()
    expect(await screen.findByText('The last check failed')).toBeDefined()
    expect(screen.getByText('Google didn’t respond. We’ll try again in 8 minutes.')).toBeDefined()
  })

  test('whose credentials are refused is reconnected from the toast for ten seconds', async () => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    const { user, api } = open({ connections: [makeConnection()] })
    api.answer(SYNC, errorResponse('external_calendar.authorization_expired'))
    api.answer(authorization('google'), { authorization_url: 'https://accounts.google.example/again' })
    const sync = await screen.findByRole('button', { name: 'Sync Now' })
    api.answer(READ, makeExternalCalendars({ connections: [makeConnection({ state: 'expired' })] }))
    await user.click(sync)
    const said = await screen.findByText('Google Calendar connection expired. Click to reconnect.')
    expect(currentToast()?.durationMs).toBe(10_000)
    const toast = within(said.closest('[role=alert]') as HTMLElement)
    await user.click(toast.getByRole('button', { name: 'Reconnect' }))
    await waitFor(() => expect(leave).toHaveBeenCalledWith('https://accounts.google.example/again'))
    expect(api.to(authorization('google'))[0]?.body).toEqual({
      connection_id: makeConnection().id,
      access: 'read',
      returns_to: 'dashboard',
    })
  })

  test('that expired says what to do in its place, and cannot be synced', async () => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    const { user, api } = open({ connections: [makeConnection({ state: 'expired' })] })
    api.answer(authorization('google'), { authorization_url: 'https://accounts.google.example/again' })
    expect(await screen.findByText('Google Calendar connection expired.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Sync Now' })).toBeNull()
    expect(screen.queryByText('Connected to Google Calendar')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Reconnect' }))
    await waitFor(() => expect(leave).toHaveBeenCalledTimes(1))
  })

  test('of a CalDAV server is reconnected by typing the password again', async () => {
    const { user } = open({
      connections: [
        makeConnection({ provider: 'caldav', state: 'expired', account_name: 'dav.example.org' }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Reconnect' }))
    expect(await screen.findByRole('dialog', { name: 'Connect to CalDAV' })).toBeDefined()
  })

  test('is disconnected after the question what becomes of its events', async () => {
    const { user, api } = open({ connections: [makeConnection()] })
    const disconnect = `DELETE ${PATH}/external-calendars/connections/${makeConnection().id}`
    api.answer(disconnect, makeExternalCalendars())
    await user.click(await screen.findByRole('button', { name: 'Disconnect' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Disconnect Google Calendar?' }))
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'Keep them' }).checked).toBe(true)
    await user.click(dialog.getByRole('radio', { name: 'Remove them' }))
    await user.click(dialog.getByRole('button', { name: 'Disconnect' }))
    expect(await screen.findByText('Google Calendar disconnected')).toBeDefined()
    expect(api.to(disconnect)[0]?.search.get('events')).toBe('remove')
    expect(await screen.findByRole('button', { name: 'Connect to Google Calendar' })).toBeDefined()
  })

  test('that has expired is disconnected with the word that its events stay', async () => {
    const { user, api } = open({ connections: [makeConnection({ state: 'expired' })] })
    const disconnect = `DELETE ${PATH}/external-calendars/connections/${makeConnection().id}`
    api.answer(disconnect, makeExternalCalendars())
    await user.click(await screen.findByRole('button', { name: 'Disconnect' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Disconnect Google Calendar?' }))
    expect(dialog.getByText(/has expired, so your appointments’ events stay there/)).toBeDefined()
    expect(dialog.queryByRole('radio')).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Disconnect' }))
    expect(await screen.findByText('Google Calendar disconnected')).toBeDefined()
    expect(api.to(disconnect)[0]?.search.get('events')).toBe('keep')
  })

  test('that was only read is disconnected without that question', async () => {
    const { user } = open({ connections: [makeConnection({ can_write: false })] })
    await user.click(await screen.findByRole('button', { name: 'Disconnect' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Disconnect Google Calendar?' }))
    expect(dialog.queryByRole('radio')).toBeNull()
  })

  test('that was disconnected says that its events are being removed', async () => {
    open({ connections: [makeConnection({ state: 'revoked' })] })
    expect(await screen.findByText(/is disconnected\. We’re removing the events there\./)).toBeDefined()
    expect(screen.queryByRole('heading', { name: 'Your calendars' })).toBeNull()
  })
})

describe('events that cannot be read (rule G30)', () => {
  test('are counted and named in their calendar, with what it means and what to do', async () => {
    const { account } = await openWith({
      count: 5,
      first: [
        { title: 'Dentist', part: 'date' },
        { title: null, part: 'date' },
        { title: 'Choir', part: 'times' },
        { title: '\u05e9\u05dc\u05d5\u05dd', part: 'zone' },
      ],
    })
    expect(account.getByText(/^5 events can’t be read in/).textContent).toBe(
      '5 events can’t be read in Meredith',
    )
    expect(account.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Dentist',
      'No title',
      'Choir',
      '\u05e9\u05dc\u05d5\u05dd',
    ])
    expect(account.getByText('\u05e9\u05dc\u05d5\u05dd').tagName).toBe('BDI')
    expect(account.getByText(/customers can book over them:$/)).toBeDefined()
    expect(account.getByText(/because their time zone is unknown:$/)).toBeDefined()
    expect(account.getByText('And 1 more event.')).toBeDefined()
    expect(account.getByText(/^Open them in your calendar app/)).toBeDefined()
  })

  test('that are more than we note are counted as such', async () => {
    const { account } = await openWith({ count: 1_000, first: [{ title: 'Dentist', part: 'times' }] })
    expect(account.getByText(/^1,000 or more events can’t be read in/)).toBeDefined()
    expect(account.getByText('And at least 999 more.')).toBeDefined()
  })

  test('say nothing when there are none', async () => {
    const { account } = await openWith({ count: 0, first: [] })
    expect(account.queryByText(/cannot be read/)).toBeNull()
  })

  async function openWith(unreadable_events: ExternalCalendar['unreadable_events']) {
    open({ connections: [makeConnection({ calendars: [makeExternalCalendar({ unreadable_events })] })] })
    return { account: within(await screen.findByRole('region', { name: 'meredith@gmail.example' })) }
  }
})

describe('the two switches', () => {
  test('say what they do and are saved at once with what was shown', async () => {
    const { user, api } = open({
      connections: [makeConnection({ calendars: [makeExternalCalendar({ writes_events: true })] })],
    })
    const auto = await screen.findByRole<HTMLInputElement>('switch', { name: 'Auto Sync' })
    const twoWay = screen.getByRole<HTMLInputElement>('switch', { name: 'Two-way Sync' })
    expect([auto.checked, twoWay.checked]).toEqual([true, true])
    expect(screen.getByText(/^We add appointments to ‘Meredith’ within seconds/)).toBeDefined()
    expect(screen.getByText(/^If you move or delete an appointment there/)).toBeDefined()
    const settings = { ...makeExternalCalendars().settings, two_way_sync: false }
    api.answer(SETTINGS, makeExternalCalendars({ connections: [makeConnection()], settings }))
    await user.click(twoWay)
    expect(await screen.findByText('Calendar settings saved')).toBeDefined()
    expect(api.to(SETTINGS)[0]?.body).toEqual({ two_way_sync: false, was: { two_way_sync: true } })
    expect(twoWay.checked).toBe(false)
  })

  test('say that nothing is written while no calendar is chosen for it', async () => {
    open({ connections: [makeConnection()] })
    await screen.findByRole('switch', { name: 'Auto Sync' })
    expect(screen.getByText(/^We’re not adding appointments yet/)).toBeDefined()
  })

  test('that were not saved say why and show what is stored', async () => {
    const { user, api } = open({ connections: [makeConnection()] })
    api.answer(SETTINGS, errorResponse('server.unexpected'))
    const auto = await screen.findByRole<HTMLInputElement>('switch', { name: 'Auto Sync' })
    await user.click(auto)
    expect(
      await screen.findByText('Failed to save calendar settings: Something went wrong. Please try again.'),
    ).toBeDefined()
    await waitFor(() => expect(auto.checked).toBe(true))
  })

  test('are there once, with the account that is written to, and not with an address that is only read', async () => {
    open({
      connections: [
        makeConnection(),
        makeConnection({
          id: 'm',
          provider: 'microsoft',
          account_name: 'grey@work.example',
          calendars: [makeExternalCalendar({ id: 'w', name: 'Work', writes_events: true })],
        }),
        makeConnection({ id: 'i', provider: 'ics', account_name: 'example.com', calendars: [] }),
      ],
    })
    const account = within(await screen.findByRole('region', { name: 'grey@work.example' }))
    expect(account.getByRole('switch', { name: 'Auto Sync' })).toBeDefined()
    expect(screen.getAllByRole('switch', { name: 'Auto Sync' })).toHaveLength(1)
  })
})

describe('the choice of calendars', () => {
  const two = makeConnection({
    calendars: [
      makeExternalCalendar({ id: 'a', name: 'Meredith' }),
      makeExternalCalendar({ id: 'b', name: 'Holidays', can_write: false, reads_busy_times: false }),
    ],
  })

  test('several boxes in a row are saved one after the other, each with the whole choice', async () => {
    const { user, api } = open({ connections: [two] })
    const bodies: unknown[] = []
    const held = heldResponse(makeExternalCalendars({ connections: [two] }))
    api.answer(CHOICE, async ({ body }: { body: unknown }) => {
      bodies.push(body)
      return held.answer()
    })
    const group = within(await screen.findByRole('group', { name: /^Count as busy/ }))
    await user.click(group.getByRole('checkbox', { name: 'Holidays' }))
    await user.click(group.getByRole('checkbox', { name: 'Meredith' }))
    expect(group.getByRole<HTMLInputElement>('checkbox', { name: 'Holidays' }).checked).toBe(true)
    expect(group.getByRole<HTMLInputElement>('checkbox', { name: 'Meredith' }).checked).toBe(false)
    expect(bodies).toEqual([{ reads: ['a', 'b'], writes: null }])
    held.release()
    await waitFor(() => expect(bodies[1]).toEqual({ reads: ['b'], writes: null }))
  })

  test('one calendar that can be written to is chosen, or none', async () => {
    const { user, api } = open({ connections: [two] })
    api.answer(CHOICE, makeExternalCalendars({ connections: [two] }))
    const group = within(await screen.findByRole('group', { name: 'Write appointments to' }))
    expect(group.getByRole<HTMLInputElement>('radio', { name: 'None' }).checked).toBe(true)
    expect(group.queryByRole('radio', { name: 'Holidays' })).toBeNull()
    await user.click(group.getByRole('radio', { name: 'Meredith' }))
    await waitFor(() => expect(api.to(CHOICE)[0]?.body).toEqual({ reads: ['a'], writes: 'a' }))
  })

  test('a calendar that is gone there says so, where it is read and where appointments wait for it', async () => {
    const [main, ...others] = two.calendars
    if (main === undefined) throw new Error('the account has calendars')
    const gone = { ...main, is_gone: true, reads_busy_times: true, writes_events: true }
    open({ connections: [{ ...two, calendars: [gone, ...others] }] })
    const busy = within(await screen.findByRole('group', { name: /^Count as busy/ }))
    expect(busy.getByText('It no longer exists.')).toBeDefined()
    const writes = within(screen.getByRole('group', { name: 'Write appointments to' }))
    expect(writes.getByRole<HTMLInputElement>('radio', { name: main.name }).checked).toBe(true)
    expect(writes.getByText('It no longer exists. Please choose another one.')).toBeDefined()
    expect(
      screen.getByText(/^Appointments are waiting to be added, because ‘Meredith’ no longer exists/),
    ).toBeDefined()
  })

  test('a choice that is refused says why and shows what is stored', async () => {
    const { user, api } = open({ connections: [two] })
    api.answer(CHOICE, errorResponse('external_calendar.read_only'))
    const writes = await screen.findByRole<HTMLInputElement>('radio', { name: 'Meredith' })
    await user.click(writes)
    expect(
      await screen.findByText(/^Failed to save your choice: This external calendar is read-only/),
    ).toBeDefined()
    await waitFor(() => expect(writes.checked).toBe(false))
  })

  test('an account that allows reading only leads to the second consent', async () => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    const { user, api } = open({ connections: [{ ...two, can_write: false }] })
    api.answer(authorization('google'), { authorization_url: 'https://accounts.google.example/write' })
    expect(await screen.findByText(/only lets us read/)).toBeDefined()
    expect(screen.queryByRole('radio', { name: 'Meredith' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Allow writing' }))
    await waitFor(() => expect(leave).toHaveBeenCalledWith('https://accounts.google.example/write'))
    expect(api.to(authorization('google'))[0]?.body).toMatchObject({ access: 'write', connection_id: two.id })
  })

  test('customer details can be hidden', async () => {
    const { user, api } = open({ connections: [two] })
    api.answer(SETTINGS, makeExternalCalendars({ connections: [two] }))
    await user.click(await screen.findByRole('switch', { name: 'Hide customer details' }))
    await waitFor(() =>
      expect(api.to(SETTINGS)[0]?.body).toEqual({ hide_customer: true, was: { hide_customer: false } }),
    )
  })
})

describe('when a calendar cannot be checked', () => {
  test('the owner chooses one of three and reads which is in effect', async () => {
    const troubled = makeConnection({ problem: 'Google didn’t respond.' })
    const { user, api } = open({ connections: [troubled] })
    const settings = { ...makeExternalCalendars().settings, when_unchecked: 'offer_nothing' as const }
    api.answer(SETTINGS, makeExternalCalendars({ connections: [troubled], settings, offers_nothing: true }))
    const group = within(await screen.findByRole('group', { name: 'When a calendar can’t be checked' }))
    expect(group.getAllByRole('radio')).toHaveLength(3)
    expect(screen.getByText('we’re offering times from the copy of Dec 1, 2026, 9:58 AM.')).toBeDefined()
    await user.click(group.getByRole('radio', { name: 'Offer nothing' }))
    expect(await screen.findByText('we’re offering no times.')).toBeDefined()
    expect(api.to(SETTINGS)[0]?.body).toEqual({
      when_unchecked: 'offer_nothing',
      was: { when_unchecked: 'trust_copy' },
    })
  })

  test('while all is well, none of it is in effect', async () => {
    open({ connections: [makeConnection()] })
    expect(await screen.findByText('every calendar has been checked, so this doesn’t apply.')).toBeDefined()
  })
})

describe('what is typed', () => {
  test('a CalDAV account needs all three, and a refused password is said beside it with the provider’s words', async () => {
    const { user, api } = open()
    await user.click(await screen.findByRole('button', { name: 'Connect to CalDAV' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Connect to CalDAV' }))
    const connect = dialog.getByRole('button', { name: 'Connect' })
    await user.click(connect)
    expect(await dialog.findByText(/^Please enter the full address of the calendar/)).toBeDefined()
    expect(dialog.getAllByText(PROBLEMS['external_calendar.login_required'].title)).toHaveLength(2)
    for (const name of ['iCloud', 'Fastmail', 'Nextcloud']) expect(dialog.getByText(name)).toBeDefined()
    await enterText(user, dialog.getByLabelText(/^Server address/), 'https://dav.example.org')
    await user.type(dialog.getByLabelText(/^User name/), 'grey')
    await enterText(user, dialog.getByLabelText(/^Password/), 'wrong')
    api.answer(
      CALDAV,
      errorResponse('external_calendar.login_refused', [{ path: 'provider', message: '401 Unauthorized' }]),
    )
    await user.click(connect)
    const said = await dialog.findByText(
      /^The server rejected this user name and password.* 401 Unauthorized$/,
    )
    expect(dialog.getByLabelText(/^Password/).getAttribute('aria-describedby')).toBe(said.id)
    const account = makeConnection({ provider: 'caldav', account_name: 'dav.example.org' })
    api.answer(CALDAV, makeExternalCalendars({ connections: [account] }))
    await user.click(connect)
    expect(await screen.findByRole('region', { name: 'dav.example.org' })).toBeDefined()
    expect(api.to(CALDAV)[1]?.body).toEqual({
      url: 'https://dav.example.org',
      username: 'grey',
      password: 'wrong',
    })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('an address that leads into a private network is refused under its field', async () => {
    const { user, api } = open()
    api.answer(ICS, errorResponse('external_calendar.address_refused'))
    await user.click(await screen.findByRole('button', { name: 'Add an address' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a calendar address' }))
    await enterText(user, dialog.getByLabelText(/^Calendar address/), 'http://192.168.0.1/a.ics')
    await user.click(dialog.getByRole('button', { name: 'Add address' }))
    expect(await dialog.findByText(/^This address is on a private network/)).toBeDefined()
  })
})

test('shows that it is loading', () => {
  stubApi({ [READ]: heldResponse({}).answer, [CHANGES]: heldResponse({}).answer })
  renderPanel()
  expect(screen.getByText('Loading integrations...')).toBeDefined()
})

test('shows an error when loading fails, and can be retried', async () => {
  const api = stubApi({
    [READ]: errorResponse('calendar.forbidden'),
    [CHANGES]: { changes: [] },
    [FEED]: { url: null },
  })
  const { user } = renderPanel()
  expect(await screen.findByText('Failed to load integrations')).toBeDefined()
  api.answer(READ, makeExternalCalendars())
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'Connect to Google Calendar' })).toBeDefined()
})

function open(over: Partial<ExternalCalendars> = {}, subscription: SubscriptionResponse = IN_PLAN) {
  const api = stubApi({
    [READ]: makeExternalCalendars(over),
    [CHANGES]: { changes: [] },
    [FEED]: { url: null },
  })
  return { ...renderPanel(subscription), api }
}

function renderPanel(subscription: SubscriptionResponse = IN_PLAN) {
  return renderComponent(<IntegrationsPanel calendar={makeCalendar()} subscription={subscription} />)
}
