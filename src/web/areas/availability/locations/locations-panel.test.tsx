// @vitest-environment happy-dom

import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { CalendarLocation, Location } from '#contract/availability/locations.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID, makeCalendar, makeCalendarLocation, makeLocation } from '#web/testing/make-records.ts'
import { OFFERED_TIMES, OfferedTimes } from '#web/testing/offered-times.tsx'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { LocationsPanel } from './locations-panel.tsx'

const ROWS = `/api/calendars/${CALENDAR_ID}/locations`
const river = makeLocation()
const loft = makeLocation({
  id: '00000000-0000-4000-8000-000000000602',
  name: 'Loft',
  address: null,
  exclusive: false,
})
const first = makeCalendarLocation({}, river)
const second = makeCalendarLocation({ is_primary: false }, loft)
const SET_PRIMARY = `POST ${ROWS}/${second.id}/primary`
const EDIT = `PATCH /api/locations/${river.id}`
const USAGE = `GET /api/locations/${river.id}/usage`
const DOWN = PROBLEMS['server.unavailable'].title

describe('the list', () => {
  test('each location shows name, address and kind, and the primary one is marked', async () => {
    const call = makeLocation({ id: CALENDAR_ID, name: 'Video call', type: 'online', shareable: true })
    renderPanel([first, second, makeCalendarLocation({ is_primary: false }, call)])
    const primary = within(await screen.findByRole('article', { name: 'Riverside Practice' }))
    for (const text of ['14 Wharf Lane', 'Primary', 'One appointment at a time']) {
      expect(primary.getByText(text)).toBeDefined()
    }
    expect(primary.queryByRole('button', { name: /^Set Primary/ })).toBeNull()
    const other = within(screen.getByRole('article', { name: 'Loft' }))
    expect(other.queryByText('Primary')).toBeNull()
    expect(other.getByText('Several appointments at a time')).toBeDefined()
    const online = within(screen.getByRole('article', { name: 'Video call' }))
    expect([online.getByText('Online'), online.getByText('Shareable')]).toHaveLength(2)
    expect(online.queryByText(/appointments? at a time/)).toBeNull()
  })

  test('a location shared by another owner can be removed but not edited', async () => {
    renderPanel([makeCalendarLocation({}, makeLocation({ user_id: null, shareable: true }))])
    const item = within(await screen.findByRole('article'))
    expect(item.getByText('Shared by another owner, and only they can change it')).toBeDefined()
    expect(item.queryByRole('button', { name: /^Edit/ })).toBeNull()
    expect(item.getByRole('button', { name: 'Remove Riverside Practice' })).toBeDefined()
  })

  test('an empty list explains locations and offers to add one', async () => {
    const { user } = renderPanel([])
    expect(await screen.findByText('No locations yet')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Add your first location' }))
    expect(await screen.findByRole('dialog', { name: 'Add location' })).toBeDefined()
  })

  test('shows that it is loading, and can be retried after an error', async () => {
    const { api, user } = renderPanel([])
    expect(screen.getByText('Loading locations...')).toBeDefined()
    cleanup()
    api.answer(`GET ${ROWS}`, errorResponse('calendar.forbidden'))
    renderComponent(<LocationsPanel calendar={makeCalendar()} />)
    expect(await screen.findByText('Failed to load locations')).toBeDefined()
    api.answer(`GET ${ROWS}`, { calendar_locations: [first], withdrawn: [] })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('article', { name: 'Riverside Practice' })).toBeDefined()
  })
})

describe('adding', () => {
  test('a location has the defaults of rule L1, and is listed', async () => {
    const { user, api } = renderPanel([])
    const dialog = await openAdd(user)
    await enterText(user, dialog.getByLabelText(/^Name/), 'Riverside Practice')
    await enterText(user, dialog.getByLabelText('Address'), '14 Wharf Lane')
    api.answer(`POST ${ROWS}`, first)
    api.answer(`GET ${ROWS}`, { calendar_locations: [first], withdrawn: [] })
    await user.click(dialog.getByRole('button', { name: 'Add location' }))
    expect(await screen.findByText('Location added successfully!')).toBeDefined()
    expect(await screen.findByRole('article', { name: 'Riverside Practice' })).toBeDefined()
    expect(api.to(`POST ${ROWS}`)[0]?.body).toEqual({
      name: 'Riverside Practice',
      address: '14 Wharf Lane',
      type: 'physical',
      shareable: false,
      exclusive: true,
    })
  })

  test('a missing name is reported under its field, and nothing is sent', async () => {
    const { user, api } = renderPanel([])
    const dialog = await openAdd(user)
    await user.type(dialog.getByLabelText(/^Name/), '   ')
    await user.click(dialog.getByRole('button', { name: 'Add location' }))
    expect(await dialog.findByText(PROBLEMS['location.name_required'].title)).toBeDefined()
    expect(api.to(`POST ${ROWS}`)).toEqual([])
  })

  test('a refusal shows the reason and keeps typed text; a double press sends one request', async () => {
    const { user, api } = renderPanel([])
    const held = heldResponse(errorResponse('server.unavailable'))
    api.answer(`POST ${ROWS}`, held.answer)
    const dialog = await openAdd(user)
    await enterText(user, dialog.getByLabelText(/^Name/), 'Attic')
    await user.click(dialog.getByRole('button', { name: 'Add location' }))
    await user.click(await dialog.findByRole('button', { name: 'Adding...' }))
    held.release()
    expect(await screen.findByText(`Failed to add location: ${DOWN}`)).toBeDefined()
    expect(screen.getAllByText(DOWN, { exact: false })).toHaveLength(1)
    expect(dialog.getByLabelText(/^Name/)).toHaveProperty('value', 'Attic')
    expect(api.to(`POST ${ROWS}`)).toHaveLength(1)
  })

  test('typed text is restored after a login', async () => {
    const { user, api } = renderPanel([])
    const dialog = await openAdd(user)
    await enterText(user, dialog.getByLabelText(/^Name/), 'Attic')
    api.answer(`POST ${ROWS}`, errorResponse('auth.required'))
    await user.click(dialog.getByRole('button', { name: 'Add location' }))
    expect(await dialog.findByText(PROBLEMS['auth.required'].title, { exact: false })).toBeDefined()
    cleanup()
    renderPanel([])
    const back = within(await screen.findByRole('dialog', { name: 'Add location' }))
    expect(back.getByLabelText(/^Name/)).toHaveProperty('value', 'Attic')
  })

  test('a name of another location of the owner suggests that location', async () => {
    const { user, api } = renderPanel([first], [river, loft])
    const dialog = await openAdd(user)
    await user.type(dialog.getByLabelText(/^Name/), 'lo')
    api.answer(`POST ${ROWS}`, second)
    await user.click(await dialog.findByRole('button', { name: 'Loft' }))
    expect(await screen.findByText('Location added successfully!')).toBeDefined()
    expect(api.to(`POST ${ROWS}`)[0]?.body).toEqual({ location_id: loft.id })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('another location of the owner is added with one press', async () => {
    const { user, api } = renderPanel([first], [river, loft])
    api.answer(`POST ${ROWS}`, second)
    await user.click(await screen.findByRole('button', { name: 'Add: Loft' }))
    expect(await screen.findByText('Location added successfully!')).toBeDefined()
    expect(api.to(`POST ${ROWS}`)[0]?.body).toEqual({ location_id: loft.id })
  })

  async function openAdd(user: ReturnType<typeof renderPanel>['user']) {
    await user.click(await screen.findByRole('button', { name: 'Add location' }))
    return within(await screen.findByRole('dialog', { name: 'Add location' }))
  }
})

describe('the primary location', () => {
  test('is set, and the badge moves', async () => {
    const { user, api } = renderPanel([first, second])
    const held = heldResponse(second)
    api.answer(SET_PRIMARY, held.answer)
    await user.click(await screen.findByRole('button', { name: 'Set Primary: Loft' }))
    await user.click(await screen.findByText('Setting...'))
    const rows = [
      { ...second, is_primary: true },
      { ...first, is_primary: false },
    ]
    api.answer(`GET ${ROWS}`, { calendar_locations: rows, withdrawn: [] })
    held.release()
    expect(await screen.findByText('Primary location updated!')).toBeDefined()
    expect(await screen.findByRole('button', { name: 'Set Primary: Riverside Practice' })).toBeDefined()
    expect(api.to(SET_PRIMARY)).toHaveLength(1)
  })

  test('a refusal shows the reason', async () => {
    const { user, api } = renderPanel([first, second])
    api.answer(SET_PRIMARY, errorResponse('server.unavailable'))
    await user.click(await screen.findByRole('button', { name: 'Set Primary: Loft' }))
    expect(await screen.findByText(`Failed to update primary location: ${DOWN}`)).toBeDefined()
  })
})

describe('editing', () => {
  test('starts with the stored values, explains the effect on bookings, and sends the changes', async () => {
    const { user, api } = renderPanel([first])
    const dialog = await openEditor(user)
    expect(dialog.getByLabelText(/^Name/)).toHaveProperty('value', 'Riverside Practice')
    expect(dialog.getByText('Appointments keep the name and address they were booked with.')).toBeDefined()
    await user.click(dialog.getByRole('switch', { name: 'Only one appointment at a time' }))
    expect(dialog.getByRole('status').textContent).toMatch(/Appointments there can overlap/)
    api.answer(EDIT, river)
    const before = api.to(OFFERED_TIMES).length
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Location updated successfully!')).toBeDefined()
    await waitFor(() => expect(api.to(OFFERED_TIMES).length).toBeGreaterThan(before))
    expect(api.to(EDIT)[0]?.body).toEqual({ exclusive: false, was: { exclusive: true } })
  })

  test('a taken name is reported in the dialog', async () => {
    const { user, api } = renderPanel([first])
    const dialog = await openEditor(user)
    api.answer(EDIT, errorResponse('location.taken'))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    const sentence = PROBLEMS['location.taken'].title
    expect(await dialog.findByText(`Failed to update location: ${sentence}`)).toBeDefined()
    expect(screen.getAllByText(sentence, { exact: false })).toHaveLength(1)
  })

  test('after a change in another window, shows it, keeps typed text, and saving again overwrites only the typed fields', async () => {
    const { user, api } = renderPanel([first])
    const dialog = await openEditor(user)
    await user.type(dialog.getByLabelText(/^Name/), ' 2')
    api.answer(EDIT, errorResponse('request.changed_meanwhile', [{ path: 'address', message: 'Changed.' }]))
    api.answer('GET /api/locations', {
      locations: [{ ...river, name: 'Riverside', address: '15 Wharf Lane', shareable: true }],
    })
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    const notice = await dialog.findByRole('alert')
    expect(screen.queryByText(/^Failed/)).toBeNull()
    const told = within(notice).getAllByRole('definition')
    expect(told.map(({ textContent }) => textContent)).toEqual(['Riverside', '15 Wharf Lane', 'On'])
    expect(dialog.getByLabelText(/^Address/)).toHaveProperty('value', '15 Wharf Lane')
    api.answer(EDIT, river)
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Location updated successfully!')).toBeDefined()
    expect(api.to(EDIT)[1]?.body).toEqual({
      name: 'Riverside Practice 2',
      was: { name: 'Riverside' },
    })
  })

  test('begins without the toast of an earlier action, which would cover the fields', async () => {
    const { user } = renderPanel([first])
    toast.success('Location added successfully!')
    expect(await screen.findByText('Location added successfully!')).toBeDefined()
    await openEditor(user)
    expect(screen.queryByText('Location added successfully!')).toBeNull()
  })

  async function openEditor(user: ReturnType<typeof renderPanel>['user']) {
    await user.click(await screen.findByRole('button', { name: 'Edit Riverside Practice' }))
    return within(await screen.findByRole('dialog', { name: 'Edit location' }))
  }
})

describe('removing', () => {
  test('shows the numbers affected and the next primary location', async () => {
    const { user, api } = renderPanel([first, second])
    api.answer(USAGE, {
      calendars: [use({ calendar_id: CALENDAR_ID, appointment_types: 1, future_appointments: 3 })],
    })
    const question = await ask(user)
    for (const sentence of [
      '3 future appointments stay there as booked.',
      '1 appointment type will have the primary location instead.',
      '“Loft” becomes the primary location.',
      'You’ll find it under “Your other locations”.',
    ]) {
      expect(await question.findByText(sentence)).toBeDefined()
    }
    api.answer(`DELETE ${ROWS}/${first.id}`, undefined)
    api.answer(`GET ${ROWS}`, { calendar_locations: [{ ...second, is_primary: true }], withdrawn: [] })
    await user.click(question.getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Location removed successfully!')).toBeDefined()
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Remove Riverside Practice' })).toBeNull(),
    )
  })

  test('the last one leaves the calendar without a location', async () => {
    const { user } = renderPanel([first])
    const question = await ask(user)
    expect(await question.findByText('The calendar will have no location.')).toBeDefined()
    expect(question.getByText('This calendar has no future appointments there.')).toBeDefined()
  })

  test('the last one leaves the appointment types without one, too', async () => {
    const { user, api } = renderPanel([first])
    api.answer(USAGE, { calendars: [use({ calendar_id: CALENDAR_ID, appointment_types: 2 })] })
    const question = await ask(user)
    expect(
      await question.findByText('The calendar and 2 appointment types will have no location.'),
    ).toBeDefined()
  })

  test('a refusal shows the reason', async () => {
    const { user, api } = renderPanel([first])
    const question = await ask(user)
    api.answer(`DELETE ${ROWS}/${first.id}`, errorResponse('location.not_found'))
    await user.click(question.getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Failed to remove location: Location not found')).toBeDefined()
  })

  async function ask(user: ReturnType<typeof renderPanel>['user']) {
    await user.click(await screen.findByRole('button', { name: 'Remove Riverside Practice' }))
    return within(await screen.findByRole('alertdialog'))
  }
})

describe('deleting for good', () => {
  test('shows the numbers affected on all calendars', async () => {
    const { user, api } = renderPanel([second], [river, loft])
    api.answer(USAGE, {
      calendars: [
        use({ appointment_types: 2, future_appointments: 1 }),
        use({ calendar_id: 'other', owner_name: 'Ida Berg', future_appointments: 4 }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Delete Riverside Practice' }))
    const question = within(await screen.findByRole('alertdialog'))
    for (const sentence of [
      '2 calendars lose it, 1 of them of other owners.',
      '2 appointment types will have the primary location of their calendar instead, if it has another one.',
      '5 future appointments stay as booked, with its name and address.',
      'This can’t be undone.',
    ]) {
      expect(await question.findByText(sentence)).toBeDefined()
    }
    api.answer(`DELETE /api/locations/${river.id}`, errorResponse('server.unavailable'))
    await user.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(`Failed to delete location: ${DOWN}`)).toBeDefined()
    api.answer(`DELETE /api/locations/${river.id}`, undefined)
    await user.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Location deleted successfully!')).toBeDefined()
  })
})

test('deleting a place that only has appointments left takes it from no calendar', async () => {
  const { user, api } = renderPanel([second], [river, loft])
  api.answer(USAGE, { calendars: [use({ in_use: false, is_primary: false, future_appointments: 1 })] })
  await user.click(await screen.findByRole('button', { name: 'Delete Riverside Practice' }))
  const question = within(await screen.findByRole('alertdialog'))
  expect(await question.findByText('No calendar uses it.')).toBeDefined()
  expect(question.getByText('1 future appointment stays as booked, with its name and address.')).toBeDefined()
})

test('who uses a shared location is shown, and can be removed', async () => {
  const { user, api } = renderPanel([
    makeCalendarLocation({}, { ...river, shareable: true, used_by_others: 1 }),
  ])
  const ida = use({
    calendar_id: 'theirs',
    calendar_name: 'Berg Yoga',
    owner_name: 'Ida Berg',
    future_appointments: 2,
  })
  api.answer(USAGE, { calendars: [use({}), ida] })
  await user.click(await screen.findByRole('button', { name: 'Used by 1 calendar of other owners' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Who uses “Riverside Practice”' }))
  expect(await dialog.findByText('Ida Berg · 2 future appointments')).toBeDefined()
  const REMOVE = `DELETE /api/locations/${river.id}/calendars/theirs`
  api.answer(REMOVE, errorResponse('server.unavailable'))
  await user.click(dialog.getByRole('button', { name: 'Remove Berg Yoga' }))
  expect(await screen.findByText(`Failed to remove location: ${DOWN}`)).toBeDefined()
  api.answer(REMOVE, undefined)
  api.answer(USAGE, { calendars: [use({})] })
  await user.click(dialog.getByRole('button', { name: 'Remove Berg Yoga' }))
  expect(await screen.findByText('Location removed successfully!')).toBeDefined()
  expect(await dialog.findByText('No other owner uses this location.')).toBeDefined()
})

test('the code of a shareable location can be copied and replaced', async () => {
  const shared = { ...river, shareable: true, sharing_code: '7gkm2-x9wqa' }
  const { user, api } = renderPanel([makeCalendarLocation({}, shared)], [shared])
  await user.click(await screen.findByRole('button', { name: 'Share it with another owner' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Who uses “Riverside Practice”' }))
  expect(dialog.getByText('7gkm2-x9wqa')).toBeDefined()
  const next = { ...shared, sharing_code: 'hjk34-mnp56' }
  api.answer(`POST /api/locations/${river.id}/sharing-code`, next)
  api.answer('GET /api/locations', { locations: [next] })
  await user.click(dialog.getByRole('button', { name: 'New code' }))
  expect(await dialog.findByText('hjk34-mnp56')).toBeDefined()
})

test('the location of another owner is added by its code; refused, the code that was typed stays', async () => {
  const { user, api } = renderPanel([])
  await user.click(await screen.findByRole('button', { name: 'Use a shared location' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Use a shared location' }))
  await enterText(user, dialog.getByLabelText(/^Sharing code/), '7gkm2 x9wqa')
  api.answer(`POST ${ROWS}`, errorResponse('location.code_unknown'))
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(await dialog.findByText(/^No location has this code/)).toBeDefined()
  expect(dialog.getByLabelText(/^Sharing code/)).toHaveProperty('value', '7gkm2 x9wqa')
  api.answer(`POST ${ROWS}`, first)
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(await screen.findByText('Location added successfully!')).toBeDefined()
  expect(api.to(`POST ${ROWS}`)[1]?.body).toEqual({ sharing_code: '7gkm2 x9wqa' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a location that is no longer shared is listed while appointments are booked there', async () => {
  const { api } = renderPanel([first])
  const withdrawn = [{ name: 'Harley Street', address: '12 Harley Street', future_appointments: 3 }]
  api.answer(`GET ${ROWS}`, { calendar_locations: [first], withdrawn })
  cleanup()
  renderComponent(<LocationsPanel calendar={makeCalendar()} />)
  expect(await screen.findByText('No longer shared with this calendar')).toBeDefined()
  expect(
    screen.getByText('Harley Street, 12 Harley Street: 3 appointments booked there, without reserving it'),
  ).toBeDefined()
})

test('before a location is no longer shared, the dialog shows who loses it', async () => {
  const shared = { ...river, shareable: true, sharing_code: '7gkm2-x9wqa', used_by_others: 2 }
  const { user } = renderPanel([makeCalendarLocation({}, shared)])
  await user.click(await screen.findByRole('button', { name: 'Edit Riverside Practice' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit location' }))
  expect(dialog.queryByText(/will lose this location/)).toBeNull()
  await user.click(dialog.getByRole('switch', { name: /^Shareable/ }))
  expect(await dialog.findByText(/^2 calendars of other owners will lose this location/)).toBeDefined()
})

function use(over: Record<string, unknown>) {
  return {
    calendar_id: CALENDAR_ID,
    calendar_name: 'Dr. Grey',
    owner_name: null,
    in_use: true,
    is_primary: true,
    appointment_types: 0,
    future_appointments: 0,
    ...over,
  }
}

function renderPanel(rows: CalendarLocation[], own: Location[] = []) {
  const api = stubApi({
    [`GET ${ROWS}`]: { calendar_locations: rows, withdrawn: [] },
    'GET /api/locations': { locations: own },
    [USAGE]: { calendars: [] },
    [OFFERED_TIMES]: {},
  })
  const { user } = renderComponent(
    <>
      <LocationsPanel calendar={makeCalendar()} />
      <OfferedTimes />
    </>,
  )
  return { user, api }
}
