// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID, makeCalendar, makeOwner } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { CalendarsSection } from './calendars-section.tsx'

const LIST = 'GET /api/calendars'
const DELETE = `DELETE /api/calendars/${CALENDAR_ID}`

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})

describe('the list', () => {
  test('it shows name, description, category, colour and link of each calendar', async () => {
    stubApi({ [LIST]: { calendars: [makeCalendar()] } })
    renderSection()
    const card = within(await screen.findByRole('article', { name: 'Dr. Grey' }))
    expect(card.getByText('Movement and back pain.')).toBeDefined()
    expect(card.getByText('Therapist')).toBeDefined()
    expect(card.getByText('meridian.example/book/dr-grey')).toBeDefined()
    expect(card.getByRole('link', { name: 'Manage' }).getAttribute('href')).toBe(
      `/calendar/${CALENDAR_ID}/settings`,
    )
    const booking = card.getByRole('link', { name: 'View Booking Page' })
    expect(booking.getAttribute('href')).toBe('https://meridian.example/book/dr-grey')
    expect(booking.getAttribute('target')).toBe('_blank')
  })

  test('shows that it is loading', async () => {
    stubApi({ [LIST]: heldResponse({ calendars: [] }).answer })
    renderSection()
    expect(screen.getByText('Loading your calendars...')).toBeDefined()
  })

  test('an empty list offers to create a calendar', async () => {
    stubApi({ [LIST]: { calendars: [] } })
    const { user } = renderSection()
    expect(await screen.findByText("You haven't created any calendars yet.")).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Create Your First Calendar' }))
    expect(await screen.findByRole('dialog', { name: 'Create Calendar' })).toBeDefined()
  })

  test('shows an error after one retry, and can be retried', async () => {
    const api = stubApi({ [LIST]: errorResponse('server.unexpected') })
    const { user } = renderSection()
    expect(
      await screen.findAllByText('Error loading your calendars. Please try again.', {}, { timeout: 10_000 }),
    ).toHaveLength(1)
    api.answer(LIST, { calendars: [makeCalendar()] })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('article', { name: 'Dr. Grey' })).toBeDefined()
  })

  test('foreign calendars are not shown', async () => {
    const foreign = makeCalendar({ name: 'Foreign', user_id: '00000000-0000-4000-8000-000000000002' })
    stubApi({ [LIST]: { calendars: [foreign, makeCalendar()] } })
    renderSection()
    await screen.findByRole('article', { name: 'Dr. Grey' })
    expect(screen.queryByText('Foreign')).toBeNull()
  })

  test('a created calendar is there at once', async () => {
    const created = makeCalendar({ id: '00000000-0000-4000-8000-000000000102', name: 'Second' })
    const api = stubApi({ [LIST]: { calendars: [makeCalendar()] }, 'POST /api/calendars': created })
    const { user } = renderSection()
    await user.click(await screen.findByRole('button', { name: 'Create Calendar' }))
    const dialog = within(await screen.findByRole('dialog'))
    await enterText(user, dialog.getByLabelText(/^Name/), 'Second')
    api.answer(LIST, { calendars: [created, makeCalendar()] })
    await user.click(dialog.getByRole('button', { name: 'Create Calendar' }))
    expect(await screen.findByRole('article', { name: 'Second' })).toBeDefined()
  })

  test('typed text is kept when the dialog is closed by accident', async () => {
    stubApi({ [LIST]: { calendars: [makeCalendar()] } })
    const { user } = renderSection()
    await user.click(await screen.findByRole('button', { name: 'Create Calendar' }))
    await enterText(user, within(await screen.findByRole('dialog')).getByLabelText(/^Name/), 'Second')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Create Calendar' }))
    expect(within(await screen.findByRole('dialog')).getByLabelText(/^Name/)).toHaveProperty(
      'value',
      'Second',
    )
  })
})

describe('copying the link', () => {
  test('it is put on the clipboard', async () => {
    stubApi({ [LIST]: { calendars: [makeCalendar()] } })
    const { user } = renderSection()
    await user.click(await screen.findByRole('button', { name: 'Copy booking link of Dr. Grey' }))
    expect(await screen.findByText('Copied to clipboard!')).toBeDefined()
    expect(await navigator.clipboard.readText()).toBe('https://meridian.example/book/dr-grey')
  })

  test('shows when the browser refuses', async () => {
    stubApi({ [LIST]: { calendars: [makeCalendar()] } })
    const { user } = renderSection()
    await screen.findByRole('article')
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))
    await user.click(screen.getByRole('button', { name: 'Copy booking link of Dr. Grey' }))
    expect(await screen.findByText(/^Your browser blocked copying/)).toBeDefined()
  })
})

describe('deleting', () => {
  test('asks for a confirmation, and cancelling deletes nothing', async () => {
    const api = stubApi({ [LIST]: { calendars: [makeCalendar()] } })
    const { user } = renderSection()
    await user.click(await screen.findByRole('button', { name: 'Delete Calendar' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete this calendar?' }))
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(api.to(DELETE)).toEqual([])
    expect(screen.getByRole('article', { name: 'Dr. Grey' })).toBeDefined()
  })

  test('deletes the calendar after a confirmation; a double press sends one request', async () => {
    const held = heldResponse(undefined)
    const api = stubApi({ [LIST]: { calendars: [makeCalendar()] }, [DELETE]: held.answer })
    const { user } = renderSection()
    await confirmDeletion(user)
    await user.click(await screen.findByRole('button', { name: 'Deleting...' }))
    api.answer(LIST, { calendars: [] })
    held.release()
    expect(await screen.findByText('Calendar deleted successfully')).toBeDefined()
    expect(await screen.findByText("You haven't created any calendars yet.")).toBeDefined()
    expect(api.to(DELETE)).toHaveLength(1)
  })

  test.each(['payment.deletion_under_way', 'payment.deletion_unanswered'] as const)(
    'refused for %s, the calendar stays and the question can be answered again',
    async (code) => {
      stubApi({ [LIST]: { calendars: [makeCalendar()] }, [DELETE]: errorResponse(code) })
      const { user } = renderSection()
      await confirmDeletion(user)
      expect(await screen.findByText('Failed to delete calendar. Please try again.')).toBeDefined()
      expect(screen.getByText(PROBLEMS[code].title)).toBeDefined()
      expect(screen.getByRole('alertdialog')).toBeDefined()
    },
  )

  async function confirmDeletion(user: ReturnType<typeof renderSection>['user']) {
    await user.click(await screen.findByRole('button', { name: 'Delete Calendar' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Delete Calendar' }))
  }
})

describe('the plan’s limit', () => {
  const LIMIT = PROBLEMS['calendar.limit_reached'].title

  test.each([
    ['reached', 1, true],
    ['not reached', 3, false],
    ['unlimited', null, false],
    ['not known', undefined, false],
  ])('%s', async (_case, limit, isSaid) => {
    stubApi({ [LIST]: { calendars: [makeCalendar()] } })
    const { user } = renderSection(limit)
    await user.click(await screen.findByRole('button', { name: 'Create Calendar' }))
    await screen.findByRole('dialog')
    expect(screen.queryByText(LIMIT) !== null).toBe(isSaid)
  })
})

function renderSection(limit: number | null | undefined = 3) {
  return renderComponent(<CalendarsSection owner={makeOwner()} limit={limit} />)
}
