// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CALENDAR_ID, makeCalendar, makeOutlook } from '#web/app/testing/make-records.ts'
import { renderPart } from '#web/app/testing/render-page.tsx'
import { heldAnswer, refuse, stubApi } from '#web/app/testing/stub-api.ts'
import { TimeZoneCard } from './time-zone-card.tsx'

const READ = `GET /api/calendars/${CALENDAR_ID}`
const SAVE = `PATCH /api/calendars/${CALENDAR_ID}`
const OUTLOOK = `GET /api/calendars/${CALENDAR_ID}/outlook`
const TOKYO = makeCalendar({ timezone: 'Asia/Tokyo' })
const NEXT = { customer_name: 'Ada', starts_at: '2026-12-01T09:30:00Z', time_zone: 'Europe/London' }

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T15:42:10Z'), toFake: ['Date'] })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('it shows the zone with its local time, and can be updated only when another one is chosen', async () => {
  stubApi({})
  const { user } = renderCard()
  expect(zone()).toHaveProperty('value', 'London (Europe/London)')
  expect(screen.getByText('3:42 PM')).toBeDefined()
  expect(update()).toHaveProperty('disabled', true)
  await choose(user, 'tokyo', 'Tokyo (Asia/Tokyo)')
  expect(screen.getByText('12:42 AM')).toBeDefined()
  expect(screen.getByText(/Sunday, November 22/)).toBeDefined()
  expect(update()).toHaveProperty('disabled', false)
  await choose(user, 'london', 'London (Europe/London)')
  expect(update()).toHaveProperty('disabled', true)
})

describe('before the change it says what happens to', () => {
  test.each([
    ['no appointments', makeOutlook(), 'No appointments lie ahead.'],
    [
      'one',
      makeOutlook({ future_appointments: 1, next_appointment: NEXT }),
      '1 future appointment keeps its instant: nobody has to come earlier or later. It will be shown at other wall-clock times: the next one at 6:30 PM on Tuesday, December 1 instead of 9:30 AM.',
    ],
    [
      'several',
      makeOutlook({ future_appointments: 12, next_appointment: NEXT }),
      /^12 future appointments keep their instant: .* They will be shown at other wall-clock times/,
    ],
    [
      'some whose number is not known',
      refuse('server.unexpected'),
      'Future appointments keep their instant and will be shown at other wall-clock times.',
    ],
  ])('%s', async (_case, outlook, sentence) => {
    stubApi({ [OUTLOOK]: outlook })
    const { user } = renderCard()
    const question = await ask(user)
    expect(await question.findByText(sentence, {}, { timeout: 5_000 })).toBeDefined()
    expect(question.getByText(/^Your weekly hours apply in the new zone/)).toBeDefined()
  })

  test('appointments that keep their wall-clock time, too', async () => {
    stubApi({ [OUTLOOK]: makeOutlook({ future_appointments: 2, next_appointment: NEXT }) })
    const { user } = renderCard()
    const question = await ask(user, ['lisbon', 'Lisbon (Europe/Lisbon)'])
    expect(await question.findByText(/The next one will be shown at the same time, 9:30 AM on/)).toBeDefined()
  })
})

test('confirmed, the zone is updated once, however often it is pressed', async () => {
  const held = heldAnswer(TOKYO)
  const api = stubApi({ [OUTLOOK]: makeOutlook(), [SAVE]: held.answer })
  const { user } = renderCard()
  const question = await ask(user)
  await user.click(question.getByRole('button', { name: 'Update Timezone' }))
  await user.click(await question.findByRole('button', { name: 'Updating...' }))
  held.release()
  expect(await screen.findByText('Timezone Updated')).toBeDefined()
  expect(api.to(SAVE).map(({ body }) => body)).toEqual([
    { timezone: 'Asia/Tokyo', was: { timezone: 'Europe/London' } },
  ])
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(update()).toHaveProperty('disabled', true)
})

test('cancelled, nothing is changed and the choice stays', async () => {
  const api = stubApi({ [OUTLOOK]: makeOutlook() })
  const { user } = renderCard()
  const question = await ask(user)
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(api.to(SAVE)).toEqual([])
  expect(zone()).toHaveProperty('value', 'Tokyo (Asia/Tokyo)')
})

test('a failure is said, with its reason, and the choice stays', async () => {
  stubApi({ [OUTLOOK]: makeOutlook(), [SAVE]: refuse('server.unavailable') })
  const { user } = renderCard()
  await confirm(user)
  expect(await screen.findByText('Error: Failed to update timezone. Please try again.')).toBeDefined()
  expect(await screen.findByText(/^The service is not available at the moment/)).toBeDefined()
  expect(zone()).toHaveProperty('value', 'Tokyo (Asia/Tokyo)')
})

test('changed in another window meanwhile, it says to what', async () => {
  const paris = makeCalendar({ timezone: 'Europe/Paris' })
  const api = stubApi({
    [OUTLOOK]: makeOutlook(),
    [SAVE]: refuse('request.changed_meanwhile'),
    [READ]: paris,
  })
  const { user } = renderCard()
  await confirm(user)
  expect(await screen.findByText('Europe/Paris')).toBeDefined()
  api.answer(SAVE, TOKYO)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await user.click(update())
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Update Timezone' }),
  )
  await screen.findByText('Timezone Updated')
  expect(api.to(SAVE)[1]?.body).toEqual({ timezone: 'Asia/Tokyo', was: { timezone: 'Europe/Paris' } })
})

function renderCard() {
  return renderPart(<TimeZoneCard calendar={makeCalendar()} />)
}

type User = ReturnType<typeof renderCard>['user']

function zone(): HTMLElement {
  return screen.getByRole('combobox', { name: 'Time zone' })
}

function update(): HTMLElement {
  return screen.getByRole('button', { name: 'Update Timezone' })
}

async function choose(user: User, typed: string, option: string): Promise<void> {
  await user.clear(zone())
  await user.type(zone(), typed)
  await user.click(await screen.findByRole('option', { name: option }))
}

/** Chooses a zone, Tokyo unless told otherwise, and presses the button: the question. */
async function ask(user: User, [typed, option] = ['tokyo', 'Tokyo (Asia/Tokyo)'] as const) {
  await choose(user, typed, option)
  await user.click(update())
  return within(await screen.findByRole('alertdialog'))
}

async function confirm(user: User): Promise<void> {
  await user.click((await ask(user)).getByRole('button', { name: 'Update Timezone' }))
}
