// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { DuplicateCalendarButton } from './duplicate-calendar-dialog.tsx'

const COPIES = `POST /api/calendars/${CALENDAR_ID}/copies`
const COPY_ID = '00000000-0000-4000-8000-000000000102'
const COPY = makeCalendar({ id: COPY_ID, name: 'Evenings', takes_bookings: false })

test('proposes a name and an unused colour, makes the copy, and leads to its settings', async () => {
  const api = stubApi({ [COPIES]: COPY })
  const { user } = await openDialog()
  const name = await screen.findByLabelText(/^Name/)
  await waitFor(() => expect((name as HTMLInputElement).value).toBe('Copy of Dr. Grey'))
  expect((screen.getByRole('radio', { name: 'Teal' }) as HTMLInputElement).checked).toBe(true)
  await user.clear(name)
  await enterText(user, name, 'Evenings')
  await user.click(screen.getByRole('button', { name: 'Duplicate calendar' }))
  const ready = within(await screen.findByRole('dialog', { name: 'Calendar duplicated' }))
  expect(ready.getByRole('status').textContent).toContain('“Evenings” is ready. It won’t take bookings')
  const link = ready.getByRole('link', { name: 'Open the copy' })
  expect(link.getAttribute('href')).toBe(`/calendar/${COPY_ID}/settings`)
  expect(document.activeElement).toBe(link)
  expect(api.to(COPIES).map(({ body }) => body)).toEqual([{ name: 'Evenings', color: '#16a085' }])
})

test('presses of one opening have one key, and another opening has another', async () => {
  const keys: (string | null)[] = []
  stubApi({ [COPIES]: errorResponse('server.unexpected') })
  const send = globalThis.fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    if (init.method === 'POST') keys.push(new Headers(init.headers).get('idempotency-key'))
    return send(path, init)
  })
  const { user } = await openDialog()
  const press = async () => {
    await user.click(await screen.findByRole('button', { name: 'Duplicate calendar' }))
    expect(await screen.findByText(PROBLEMS['server.unexpected'].title)).toBeDefined()
  }
  await press()
  await press()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Open' }))
  await press()
  expect(keys).toEqual([keys[0], keys[0], expect.not.stringMatching(String(keys[0]))])
})

test('the toast of an earlier action does not cover the dialog', async () => {
  stubApi({})
  const { user } = await openDialog()
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  toast.success('Successfully logged in!')
  expect(await screen.findByText('Successfully logged in!')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByRole('dialog')).toBeDefined()
  expect(screen.queryByText('Successfully logged in!')).toBeNull()
})

test('a plan without another calendar is named, with the way to the plans', async () => {
  stubApi({ [COPIES]: errorResponse('calendar.limit_reached') })
  const { user } = await openDialog()
  await user.click(await screen.findByRole('button', { name: 'Duplicate calendar' }))
  expect(await screen.findByText(PROBLEMS['calendar.limit_reached'].title)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Upgrade Plan' }).getAttribute('href')).toBe('/pricing')
})

test('a copy without a name is refused before it is sent', async () => {
  const api = stubApi({ [COPIES]: COPY })
  const { user } = await openDialog()
  await user.clear(await screen.findByLabelText(/^Name/))
  await user.click(screen.getByRole('button', { name: 'Duplicate calendar' }))
  expect(await screen.findByText(PROBLEMS['calendar.name_required'].title)).toBeDefined()
  expect(api.sent).toEqual([])
})

async function openDialog() {
  const rendered = renderComponent(
    <DuplicateCalendarButton calendar={makeCalendar()}>Open</DuplicateCalendarButton>,
  )
  await rendered.user.click(screen.getByRole('button', { name: 'Open' }))
  return rendered
}
