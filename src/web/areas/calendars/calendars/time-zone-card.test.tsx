// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CALENDAR_ID, makeCalendar, makeOutlook } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { ChangeTimeZoneDialog, TimeZoneCard } from './time-zone-card.tsx'

const READ = `GET /api/calendars/${CALENDAR_ID}`
const SAVE = `PATCH /api/calendars/${CALENDAR_ID}`
const OUTLOOK = `GET /api/calendars/${CALENDAR_ID}/outlook`
const TOKYO = makeCalendar({ timezone: 'Asia/Tokyo' })
const NEXT = {
  customer_name: 'Ada',
  starts_at: '2026-12-01T09:30:00Z',
  time_zone: 'Europe/London',
  hour_cycle: 'h12',
} as const

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T15:42:10Z'), toFake: ['Date'] })
})

test('shows the zone with its local time, and can be saved only after a change', async () => {
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

describe('before the change, explains what happens to', () => {
  test.each([
    ['no appointments', makeOutlook(), 'There are no upcoming appointments.'],
    [
      'one',
      makeOutlook({ future_appointments: 1, next_appointment: NEXT }),
      '1 future appointment doesn’t move: the customer comes at the same time. Only the time you see changes: you’ll see the next one at 6:30 PM on Tuesday, December 1 instead of 9:30 AM.',
    ],
    [
      'several',
      makeOutlook({ future_appointments: 12, next_appointment: NEXT }),
      /^12 future appointments don’t move: .* Only the time you see changes/,
    ],
    [
      'one that will be shown on another day',
      makeOutlook({
        future_appointments: 1,
        next_appointment: { ...NEXT, starts_at: '2026-12-01T16:00:00Z' },
      }),
      /the next one at 1:00 AM on Wednesday, December 2 instead of 4:00 PM on Tuesday, December 1\.$/,
    ],
    [
      'some whose number cannot be read',
      errorResponse('request.too_many'),
      'Future appointments don’t move. Only the time you see for them changes.',
    ],
  ])('%s', async (_case, outlook, sentence) => {
    stubApi({ [OUTLOOK]: outlook })
    renderDialog('Asia/Tokyo')
    expect(await screen.findByText(sentence)).toBeDefined()
    expect(
      screen.getByText(
        'Your weekly hours apply in the new zone from then on: 9:00 AM will mean 9:00 AM in Tokyo.',
      ),
    ).toBeDefined()
  })

  test('appointments that keep their wall-clock time, too', async () => {
    stubApi({ [OUTLOOK]: makeOutlook({ future_appointments: 2, next_appointment: NEXT }) })
    renderDialog('Europe/Lisbon')
    const sentence = /You’ll see the next one at the same time as now, 9:30 AM on Tuesday, December 1\.$/
    expect(await screen.findByText(sentence)).toBeDefined()
  })

  function renderDialog(next: string) {
    const ignore = () => undefined
    renderComponent(
      <ChangeTimeZoneDialog
        calendar={makeCalendar()}
        next={next}
        open
        onOpenChange={ignore}
        pending={false}
        onConfirm={ignore}
      />,
    )
  }
})

test('cancelling changes nothing; a double confirmation updates the zone once', async () => {
  const held = heldResponse(TOKYO)
  const api = stubApi({ [OUTLOOK]: makeOutlook(), [SAVE]: held.answer })
  const { user } = renderCard()
  await chooseTokyo(user)
  await user.click(update())
  await user.click((await findQuestion()).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(zone()).toHaveProperty('value', 'Tokyo (Asia/Tokyo)')
  expect(api.to(SAVE)).toEqual([])

  await confirm(user)
  await user.click((await findQuestion()).getByRole('button', { name: 'Updating...' }))
  held.release()
  expect(await screen.findByText('Timezone Updated')).toBeDefined()
  expect(api.to(SAVE).map(({ body }) => body)).toEqual([
    { timezone: 'Asia/Tokyo', was: { timezone: 'Europe/London' } },
  ])
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(update()).toHaveProperty('disabled', true)
})

test('the choice is kept after a failure with its reason, and after a change in another window, which saving again overwrites', async () => {
  const api = stubApi({ [OUTLOOK]: makeOutlook(), [SAVE]: errorResponse('server.unavailable') })
  const { user } = renderCard()
  await chooseTokyo(user)
  await confirm(user)
  expect(
    await screen.findByText(
      /^Error: Failed to update timezone\. Please try again\. The service is currently unavailable/,
    ),
  ).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())

  api.answer(SAVE, errorResponse('request.changed_meanwhile'))
  api.answer(READ, makeCalendar({ timezone: 'Europe/Paris' }))
  await confirm(user)
  expect(await screen.findByText('Europe/Paris')).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(zone()).toHaveProperty('value', 'Tokyo (Asia/Tokyo)')

  api.answer(SAVE, TOKYO)
  await confirm(user)
  expect(await screen.findByText('Timezone Updated')).toBeDefined()
  expect(api.to(SAVE).at(-1)?.body).toEqual({ timezone: 'Asia/Tokyo', was: { timezone: 'Europe/Paris' } })
})

function renderCard() {
  return renderComponent(<TimeZoneCard calendar={makeCalendar()} />)
}

type User = ReturnType<typeof renderCard>['user']

function zone(): HTMLInputElement {
  return screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' })
}

function update(): HTMLElement {
  return screen.getByRole('button', { name: 'Update time zone' })
}

/** Pastes the text at once, because the list of hundreds of zones would be rendered again for every typed letter. */
async function choose(user: User, typed: string, option: string): Promise<void> {
  zone().focus()
  zone().select()
  await user.paste(typed)
  await user.click(await screen.findByRole('option', { name: option }))
}

function chooseTokyo(user: User): Promise<void> {
  return choose(user, 'tokyo', 'Tokyo (Asia/Tokyo)')
}

async function findQuestion() {
  return within(await screen.findByRole('alertdialog'))
}

/** Clicks the button, and then the button of the confirmation dialog. */
async function confirm(user: User): Promise<void> {
  await user.click(update())
  await user.click((await findQuestion()).getByRole('button', { name: 'Update time zone' }))
}
