// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { OverlapsResponse } from '#contract/calendars/people.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import {
  CALENDAR_ID,
  makeCalendar,
  makeOutlook,
  makeOverlapping,
  makePeople,
  OWNER_ID,
} from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { CalendarPersonCard } from './person-card.tsx'

// These tests cover the card that shows whose time a calendar uses. Source: rules T38 and T41.

const PEOPLE = 'GET /api/people'
const OVERLAPS = `GET /api/calendars/${CALENDAR_ID}/person/overlaps`
const CHANGE = `PUT /api/calendars/${CALENDAR_ID}/person`
const OUTLOOK = `GET /api/calendars/${CALENDAR_ID}/outlook`
const NONE: OverlapsResponse = { total: 0, overlaps: [] }
const JON = { id: '00000000-0000-4000-8000-000000000011', name: 'Jon Osei', is_owner: false }
const OVERLAPPING: OverlapsResponse = {
  total: 1,
  overlaps: [
    {
      first: makeOverlapping(),
      second: makeOverlapping({
        id: '00000000-0000-4000-8000-000000000502',
        calendar_id: '00000000-0000-4000-8000-000000000102',
        calendar_name: 'Tenancy law',
        customer_name: 'Grace Hopper',
        time_zone: 'America/New_York',
      }),
    },
  ],
}

test('the card names the person and their other calendars', async () => {
  renderCard({ calendar: makeCalendar({ person: JON }) })
  expect(screen.getByText('Jon Osei')).toBeDefined()
  expect(screen.queryByText('(you)')).toBeNull()
  expect(await screen.findByText('Also booked on: Tenancy law, Family law')).toBeDefined()
})

test('the owner is called so, also without another calendar', async () => {
  renderCard()
  expect(screen.getByText('(you)')).toBeDefined()
  expect(await screen.findByText('No other calendar uses this person’s time.')).toBeDefined()
})

describe('giving the calendar to somebody else', () => {
  test('explains what happens to upcoming appointments, and changes the person', async () => {
    const { user, api } = renderCard()
    const dialog = await openDialog(user)
    expect(dialog.getByRole('radio', { name: 'Mine' })).toHaveProperty('checked', true)
    expect(changeButton(dialog)).toHaveProperty('disabled', true)
    await chooseOther(user, dialog, 'Jon Osei')
    expect(await dialog.findByText('This calendar will use Jon Osei’s time')).toBeDefined()
    expect(
      await dialog.findByText(
        /^3 upcoming appointments move with it and keep their times\. Past appointments stay with you\./,
      ),
    ).toBeDefined()
    expect(
      api
        .to(OVERLAPS)
        .map(({ search }) => Object.fromEntries(search))
        .at(-1),
    ).toEqual({ name: 'Jon Osei' })
    await waitFor(() => expect(changeButton(dialog)).toHaveProperty('disabled', false))
    await user.click(changeButton(dialog))
    expect(await screen.findByText('This calendar now uses Jon Osei’s time.')).toBeDefined()
    expect(api.to(CHANGE).map(({ body }) => body)).toEqual([{ name: 'Jon Osei', was: OWNER_ID }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('is not possible while appointments overlap, which are listed with links', async () => {
    const { user, api } = renderCard()
    api.answer(OVERLAPS, OVERLAPPING)
    const dialog = await openDialog(user)
    await chooseOther(user, dialog, 'Jon Osei')
    expect(await dialog.findByText('1 appointment overlaps with Jon Osei’s appointments')).toBeDefined()
    const pair = within(
      within(dialog.getByRole('list', { name: 'Overlapping appointments' })).getByRole('listitem'),
    )
    expect(pair.getByText('Tue, Dec 1, 2026, 9:30 AM – 10:15 AM (GMT)')).toBeDefined()
    expect(pair.getByText('Tue, Dec 1, 2026, 4:30 AM – 5:15 AM (EST)')).toBeDefined()
    expect(pair.getByText('Tenancy law')).toBeDefined()
    const link = pair.getByRole('link', { name: 'Grace Hopper (opens in a new tab)' })
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([
      '/calendar/00000000-0000-4000-8000-000000000102/settings?tab=appointments&appointment=00000000-0000-4000-8000-000000000502',
      '_blank',
    ])
    expect(changeButton(dialog)).toHaveProperty('disabled', true)
    expect(api.to(CHANGE)).toEqual([])
  })

  test('says how many overlaps are not listed', async () => {
    const { user, api } = renderCard()
    api.answer(OVERLAPS, { ...OVERLAPPING, total: 61 })
    const dialog = await openDialog(user)
    await chooseOther(user, dialog, 'Jon Osei')
    expect(await dialog.findByText('60 more.')).toBeDefined()
  })

  test('needs a name', async () => {
    const { user, api } = renderCard()
    const dialog = await openDialog(user)
    await user.click(dialog.getByRole('radio', { name: 'Somebody else’s' }))
    await user.click(changeButton(dialog))
    expect(await dialog.findByText(PROBLEMS['person.name_required'].title)).toBeDefined()
    expect(document.activeElement).toBe(dialog.getByLabelText(/^Their name/))
    expect(api.to(CHANGE)).toEqual([])
  })

  test('does nothing for the name of the person who has it', async () => {
    const { user } = renderCard()
    const dialog = await openDialog(user)
    await chooseOther(user, dialog, 'meredith  GREY')
    expect(await dialog.findByText('The calendar already uses this person’s time.')).toBeDefined()
    expect(changeButton(dialog)).toHaveProperty('disabled', true)
  })

  test('a refusal shows the reason, keeps typed text and checks for overlaps again', async () => {
    const { user, api } = renderCard()
    api.answer(CHANGE, () => {
      api.answer(OVERLAPS, OVERLAPPING)
      return errorResponse('person.overlaps')
    })
    const dialog = await openDialog(user)
    await chooseOther(user, dialog, 'Jon Osei')
    await waitFor(() => expect(changeButton(dialog)).toHaveProperty('disabled', false))
    await user.click(changeButton(dialog))
    expect((await dialog.findByRole('alert')).textContent).toBe(PROBLEMS['person.overlaps'].title)
    expect(await dialog.findByText('Tenancy law')).toBeDefined()
    expect(dialog.getByLabelText(/^Their name/)).toHaveProperty('value', 'Jon Osei')
  })

  test('changed in another window meanwhile, it reads the calendar again', async () => {
    const { user, api } = renderCard()
    api.answer(CHANGE, errorResponse('request.changed_meanwhile'))
    const dialog = await openDialog(user)
    await chooseOther(user, dialog, 'Jon Osei')
    await waitFor(() => expect(changeButton(dialog)).toHaveProperty('disabled', false))
    await user.click(changeButton(dialog))
    expect((await dialog.findByRole('alert')).textContent).toBe(PROBLEMS['request.changed_meanwhile'].title)
    await waitFor(() => expect(api.to(`GET /api/calendars/${CALENDAR_ID}`)).toHaveLength(1))
  })

  test('a double press sends one request', async () => {
    const { user, api } = renderCard()
    const held = heldResponse(makeCalendar({ person: JON }))
    api.answer(CHANGE, held.answer)
    const dialog = await openDialog(user)
    await chooseOther(user, dialog, 'Jon Osei')
    await waitFor(() => expect(changeButton(dialog)).toHaveProperty('disabled', false))
    await user.click(changeButton(dialog))
    await user.click(await dialog.findByRole('button', { name: 'Changing...' }))
    held.release()
    expect(await screen.findByText('This calendar now uses Jon Osei’s time.')).toBeDefined()
    expect(api.to(CHANGE)).toHaveLength(1)
  })

  test('a failed check for overlaps can be retried', async () => {
    const { user, api } = renderCard()
    api.answer(OVERLAPS, errorResponse('request.too_many'))
    const dialog = await openDialog(user)
    await chooseOther(user, dialog, 'Jon Osei')
    expect(await dialog.findByText('Failed to check for overlaps', {}, { timeout: 5_000 })).toBeDefined()
    api.answer(OVERLAPS, NONE)
    await user.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await dialog.findByText('This calendar will use Jon Osei’s time')).toBeDefined()
  })
})

test('a calendar of somebody else is given back to the owner', async () => {
  const { user, api } = renderCard({ calendar: makeCalendar({ person: JON }) })
  api.answer(CHANGE, makeCalendar())
  const dialog = await openDialog(user)
  expect(dialog.getByLabelText(/^Their name/)).toHaveProperty('value', 'Jon Osei')
  await user.click(dialog.getByRole('radio', { name: 'Mine' }))
  expect(await dialog.findByText('This calendar will use your time')).toBeDefined()
  expect(await dialog.findByText(/Past appointments stay with Jon Osei\./)).toBeDefined()
  await waitFor(() => expect(changeButton(dialog)).toHaveProperty('disabled', false))
  await user.click(changeButton(dialog))
  expect(await screen.findByText('This calendar now uses your time.')).toBeDefined()
  expect(api.to(CHANGE)[0]?.body).toEqual({ person_id: OWNER_ID, was: JON.id })
})

test('closing the dialog clears the choice', async () => {
  const { user } = renderCard()
  const dialog = await openDialog(user)
  await chooseOther(user, dialog, 'Amina Diallo')
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((await openDialog(user)).getByRole('radio', { name: 'Mine' })).toHaveProperty('checked', true)
})

/** Renders the card with a server that reports no overlaps and assigns the calendar to Jon Osei. */
function renderCard({ calendar = makeCalendar() } = {}) {
  const api = stubApi({
    [PEOPLE]: makePeople(),
    [OVERLAPS]: NONE,
    [OUTLOOK]: makeOutlook({ future_appointments: 3 }),
    [CHANGE]: makeCalendar({ person: JON }),
    [`GET /api/calendars/${CALENDAR_ID}`]: makeCalendar(),
  })
  return { api, ...renderComponent(<CalendarPersonCard calendar={calendar} />) }
}

type User = ReturnType<typeof renderCard>['user']
type Scope = ReturnType<typeof within>

async function openDialog(user: User): Promise<Scope> {
  await user.click(screen.getByRole('button', { name: 'Change person' }))
  return within(await screen.findByRole('dialog', { name: 'Whose time is this?' }))
}

async function chooseOther(user: User, dialog: Scope, name: string): Promise<void> {
  await user.click(dialog.getByRole('radio', { name: 'Somebody else’s' }))
  await enterText(user, dialog.getByLabelText(/^Their name/), name)
}

function changeButton(dialog: Scope): HTMLElement {
  return dialog.getByRole('button', { name: 'Change person' })
}
