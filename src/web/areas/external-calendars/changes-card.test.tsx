// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  CALENDAR_ID,
  makeCalendar,
  makeExternalCalendars,
  makeExternalChange,
  makeSubscription,
} from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { stubApi } from '#web/testing/stub-api.ts'
import { IntegrationsPanel } from './integrations-panel.tsx'

const PATH = `/api/calendars/${CALENDAR_ID}`
const CHANGES = `GET ${PATH}/external-changes`
const DECIDE = `POST ${PATH}/external-changes`
const ADA = makeExternalChange({ id: '1' })
const ALAN = makeExternalChange({ id: '2', appointment_id: 'b', customer_name: 'Alan Turing' })
const MOVED = makeExternalChange({
  id: '3',
  appointment_id: 'c',
  customer_name: 'Grace Hopper',
  kind: 'moved',
  reason: 'reconnected',
  starts_at: '2026-12-02T14:00:00Z',
  ends_at: '2026-12-02T15:00:00Z',
})

test('without changes there is no card', async () => {
  open([])
  expect(await screen.findByRole('heading', { name: 'Calendar feed' })).toBeDefined()
  expect(screen.queryByRole('heading', { name: 'Please review' })).toBeNull()
})

test('each change says whose appointment it is, what happened there and why we ask', async () => {
  open([ADA, MOVED])
  const list = within(await screen.findByRole('list', { name: 'Changes to review' }))
  expect(list.getByText('Ada Lovelace')).toBeDefined()
  expect(list.getByText('Deleted there')).toBeDefined()
  expect(list.getByText('Moved there')).toBeDefined()
  expect(list.getByText('Dec 2, 2026 · 2 – 3 PM')).toBeDefined()
  expect(
    screen.getByText(/deleted in your own calendar at the same time. These events changed/),
  ).toBeDefined()
})

test('all of them are cancelled after a question', async () => {
  const { user, api } = open([ADA, ALAN])
  api.answer(DECIDE, { done: 2, refused: [] })
  await user.click(await screen.findByRole('button', { name: 'Cancel these appointments' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Cancel these 2 appointments?' }))
  expect(dialog.getByText(/^We’ll email the customers/)).toBeDefined()
  expect(api.to(DECIDE)).toEqual([])
  api.answer(CHANGES, { changes: [] })
  await user.click(dialog.getByRole('button', { name: 'Cancel appointments' }))
  expect(await screen.findByText('2 appointments changed to match your own calendar')).toBeDefined()
  expect(api.to(DECIDE)[0]?.body).toEqual({ change_ids: ['1', '2'], decision: 'follow' })
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Please review' })).toBeNull())
})

test('all of them are kept at once', async () => {
  const { user, api } = open([ADA, ALAN])
  api.answer(DECIDE, { done: 2, refused: [] })
  await user.click(await screen.findByRole('button', { name: 'Keep them' }))
  expect(await screen.findByText('2 appointments kept')).toBeDefined()
  expect(api.to(DECIDE)[0]?.body).toEqual({ change_ids: ['1', '2'], decision: 'keep' })
})

test('one is decided on alone, and what cannot be followed says why', async () => {
  const { user, api } = open([ADA, MOVED])
  api.answer(DECIDE, { done: 0, refused: [{ appointment_id: 'c', reason: 'This time is taken.' }] })
  await user.click(
    await screen.findByRole('button', { name: /^Move this appointment: Grace Hopper, Dec 1, 2026/ }),
  )
  await user.click(await screen.findByRole('button', { name: 'Move appointment' }))
  expect(await screen.findByText('We couldn’t change 1 appointment')).toBeDefined()
  expect(screen.getByText('Grace Hopper: This time is taken.')).toBeDefined()
  expect(api.to(DECIDE)[0]?.body).toEqual({ change_ids: ['3'], decision: 'follow' })
})

test('the event of a session says how many people it concerns, and is decided for all of them', async () => {
  const { user, api } = open([
    makeExternalChange({ id: '4', kind: 'moved', reason: 'group_session', people: 3, title: 'Yoga' }),
  ])
  api.answer(DECIDE, { done: 1, refused: [] })
  const list = within(await screen.findByRole('list', { name: 'Changes to review' }))
  expect(list.getByText('Session of 3 people')).toBeDefined()
  expect(screen.getByText(/It concerns everybody in the session, so we ask you first/)).toBeDefined()
  await user.click(
    screen.getByRole('button', { name: /^Move this session: Session of 3 people, Dec 1, 2026/ }),
  )
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Move this session?' }))
  await user.click(dialog.getByRole('button', { name: 'Move session' }))
  expect(await screen.findByText('3 appointments changed to match your own calendar')).toBeDefined()
})

test('more than one request may have are sent in parts', async () => {
  const many = Array.from({ length: 130 }, (_, i) => makeExternalChange({ id: `c${i}` }))
  const { user, api } = open(many)
  api.answer(DECIDE, ({ body }: { body: unknown }) => ({
    done: (body as { change_ids: string[] }).change_ids.length,
    refused: [],
  }))
  await user.click(await screen.findByRole('button', { name: 'Keep them' }))
  expect(await screen.findByText('130 appointments kept')).toBeDefined()
  expect(api.to(DECIDE)).toHaveLength(2)
})

function open(changes: ReturnType<typeof makeExternalChange>[]) {
  const api = stubApi({
    [`GET ${PATH}/external-calendars`]: makeExternalCalendars(),
    [CHANGES]: { changes },
    [`GET ${PATH}/feed`]: { url: null },
  })
  const part = renderComponent(
    <IntegrationsPanel calendar={makeCalendar()} subscription={makeSubscription()} />,
  )
  return { ...part, api }
}
