// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { CALENDAR_ID, makeAppointment } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { AppointmentsCard } from './appointments-card.tsx'
import { type AppointmentsView, DEFAULT_APPOINTMENTS_VIEW } from './appointments-view.ts'

// These tests cover the compact rows of the list and the panel that they open. Source: rule V2.

const LIST = `GET /api/calendars/${CALENDAR_ID}/appointments`
const ADA = makeAppointment()
const ALAN = appointmentOf('Alan Turing', '00000000-0000-4000-8000-000000000502')
const GRACE = appointmentOf('Grace Hopper', '00000000-0000-4000-8000-000000000503')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-30T12:00:00Z') })
})

test('a row and its panel have the clock of the calendar', async () => {
  const { user } = renderList([
    { ...ADA, hour_cycle: 'h23', starts_at: '2026-12-01T15:00:00Z', ends_at: '2026-12-01T15:45:00Z' },
  ])
  await focusRow('Ada Lovelace')
  await user.keyboard('{Enter}')
  expect(panel().getByText('15:45')).toBeDefined()
  expect(screen.getAllByText('15:00')).toHaveLength(2)
  expect(document.body.textContent).not.toMatch(/\d [AP]M\b/)
})

describe('the keyboard', () => {
  test('the arrow keys, Home and End lead from row to row', async () => {
    const { user } = renderList([ADA, ALAN, GRACE])
    await focusRow('Ada Lovelace')
    const visited = []
    for (const key of ['{ArrowDown}', '{ArrowDown}', '{ArrowDown}', '{ArrowUp}', '{Home}', '{End}']) {
      await user.keyboard(key)
      visited.push(document.activeElement?.textContent)
    }
    expect(visited).toEqual([
      'Alan Turing',
      'Grace Hopper',
      'Grace Hopper',
      'Alan Turing',
      'Ada Lovelace',
      'Grace Hopper',
    ])
    expect(screen.queryByRole('region', { name: 'Appointment' })).toBeNull()
  })

  test('Enter opens the panel and leads into it, Escape closes it and leads back', async () => {
    const { user } = renderList([ADA, ALAN])
    const row = await focusRow('Alan Turing')
    expect(row.getAttribute('aria-expanded')).toBe('false')
    await user.keyboard('{Enter}')
    const heading = panel().getByRole('heading', { name: 'Alan Turing' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(row.getAttribute('aria-expanded')).toBe('true')
    expect(document.getElementById(row.getAttribute('aria-controls') ?? '')).not.toBeNull()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'Appointment' })).toBeNull()
    expect(document.activeElement).toBe(row)
  })

  test('an open panel follows the arrow keys, in the rows and on its heading', async () => {
    const { user } = renderList([ADA, ALAN, GRACE])
    await user.click(await screen.findByRole('button', { name: 'Ada Lovelace' }))
    await user.keyboard('{ArrowDown}')
    expect(panel().getByRole('heading', { name: 'Alan Turing' })).toBeDefined()
    await user.keyboard('{Enter}')
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(panel().getByRole('heading', { name: 'Grace Hopper' }))
  })

  test('Escape in the search and in a question leaves the panel open', async () => {
    const { user } = renderList([ADA])
    await user.click(await screen.findByRole('button', { name: 'Ada Lovelace' }))
    await user.click(panel().getByRole('button', { name: 'Cancel' }))
    await screen.findByRole('alertdialog')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await user.click(screen.getByRole('searchbox', { name: 'Search' }))
    await user.keyboard('{Escape}')
    expect(panel().getByText('ada@example.org')).toBeDefined()
  })
})

describe('the panel', () => {
  test('is opened and closed by pressing the row, and by its cross', async () => {
    const { user } = renderList([ADA])
    const row = await screen.findByRole('button', { name: 'Ada Lovelace' })
    await user.click(row)
    expect(panel().getByText('ada@example.org')).toBeDefined()
    await user.click(row)
    expect(screen.queryByRole('region', { name: 'Appointment' })).toBeNull()
    await user.click(row)
    await user.click(panel().getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('region', { name: 'Appointment' })).toBeNull()
  })

  test('follows the appointment when it is cancelled from its row', async () => {
    let row = ADA
    const { user, api } = renderList([ADA])
    api.answer(LIST, () => answerWith([row]))
    api.answer(`POST /api/calendars/${CALENDAR_ID}/appointments/${ADA.id}/actions`, () => {
      row = { ...ADA, status: 'cancelled' }
      return {
        id: ADA.id,
        status: 'cancelled',
        payment_status: ADA.payment_status,
        announced: 'cancelled',
        email: 'queued',
        warning: null,
      }
    })
    await user.click(await screen.findByRole('button', { name: 'Ada Lovelace' }))
    await user.click(screen.getByRole('button', { name: 'Actions for Ada Lovelace' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Cancel' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Cancel appointment' }))
    await waitFor(() => expect(panel().getByText('Cancelled')).toBeDefined())
    expect(panel().getByRole('button', { name: 'Restore' })).toBeDefined()
  })

  test('of an appointment that another page of the list shows is loaded on its own', async () => {
    stubApi({
      [LIST]: answerWith([ADA]),
      [`${LIST}/${GRACE.id}`]: { ...GRACE, status: 'cancelled' },
    })
    renderComponent(
      <AppointmentsCard
        calendarId={CALENDAR_ID}
        choice={{ ...DEFAULT_APPOINTMENTS_VIEW, appointment: GRACE.id }}
      />,
    )
    await screen.findByRole('button', { name: 'Ada Lovelace' })
    await waitFor(() => expect(panel().getByRole('heading', { name: 'Grace Hopper' })).toBeDefined())
    expect(panel().getByText('Cancelled')).toBeDefined()
  })

  test('of an appointment that is gone says so and can be closed', async () => {
    stubApi({ [LIST]: answerWith([ADA]), [`${LIST}/${GRACE.id}`]: errorResponse('appointment.not_found') })
    const { user } = renderComponent(
      <RememberingCard first={{ ...DEFAULT_APPOINTMENTS_VIEW, appointment: GRACE.id }} />,
    )
    await screen.findByRole('button', { name: 'Ada Lovelace' })
    expect(await panel().findByText(PROBLEMS['appointment.not_found'].title)).toBeDefined()
    await user.click(panel().getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('region', { name: 'Appointment' })).toBeNull()
  })

  test('is opened by a link that searches for a booking reference, once', async () => {
    stubApi({ [LIST]: answerWith([ADA]) })
    const first = { ...DEFAULT_APPOINTMENTS_VIEW, filter: 'all', search: ADA.booking_reference } as const
    const { user } = renderComponent(<RememberingCard first={first} />)
    await screen.findByRole('button', { name: 'Ada Lovelace' })
    await waitFor(() => expect(panel().getByText('ada@example.org')).toBeDefined())
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    expect(screen.queryByRole('region', { name: 'Appointment' })).toBeNull()
  })
})

describe('where there is no space beside the rows', () => {
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(343)
  })

  test('a row opens a sheet, and Escape closes it', async () => {
    const { user } = renderList([ADA, ALAN])
    const row = await screen.findByRole('button', { name: 'Alan Turing' })
    await user.click(row)
    const sheet = within(await screen.findByRole('dialog', { name: 'Appointment' }))
    expect(sheet.getByRole('heading', { name: 'Alan Turing' })).toBeDefined()
    expect(sheet.getByText('BK-1764000000000')).toBeDefined()
    expect(sheet.getByRole('group', { name: 'Actions' })).toBeDefined()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(row)
  })
})

test('opening is one step of the history, following a panel is none, and closing goes back', async () => {
  const steps: [string | null, boolean][] = []
  let wentBack = 0
  stubApi({ [LIST]: answerWith([ADA, ALAN]) })
  const { user } = renderComponent(
    <RememberingCard
      first={DEFAULT_APPOINTMENTS_VIEW}
      delayMs={20}
      onChoose={(choice, replace) => steps.push([choice.appointment, replace])}
      onBack={() => {
        wentBack += 1
      }}
    />,
  )
  await user.click(await screen.findByRole('button', { name: 'Ada Lovelace' }))
  await screen.findByRole('region', { name: 'Appointment' })
  await user.keyboard('{ArrowDown}')
  await screen.findByRole('heading', { name: 'Alan Turing', level: 3 })
  await user.keyboard('{Escape}')
  expect(steps).toEqual([
    [ADA.id, false],
    [ALAN.id, true],
  ])
  expect(wentBack).toBe(1)
})

function panel() {
  return within(screen.getByRole('region', { name: 'Appointment' }))
}

async function focusRow(name: string): Promise<HTMLElement> {
  const row = await screen.findByRole('button', { name })
  row.focus()
  return row
}

function appointmentOf(name: string, id: string): AppointmentRow {
  const { customers } = makeAppointment()
  return makeAppointment({ id, customers: { ...customers, name } })
}

function answerWith(appointments: AppointmentRow[]) {
  return { appointments, total: appointments.length, page: 1, page_size: 10 }
}

function renderList(appointments: AppointmentRow[]) {
  const api = stubApi({ [LIST]: answerWith(appointments) })
  return { api, ...renderComponent(<AppointmentsCard calendarId={CALENDAR_ID} />) }
}

type RememberingCardProps = {
  first: AppointmentsView
  onChoose?: (choice: AppointmentsView, replace: boolean) => void
  onBack?: () => void
  /** The time after which the choice is there, as in a URL that is updated asynchronously. */
  delayMs?: number
}

/** Stores the choice, as the page stores it in the URL. */
function RememberingCard({ first, onChoose, onBack, delayMs }: RememberingCardProps) {
  const [choice, setChoice] = useState(first)
  return (
    <AppointmentsCard
      calendarId={CALENDAR_ID}
      choice={choice}
      onBack={onBack}
      onChoose={(next, replace) => {
        if (delayMs === undefined) setChoice(next)
        else setTimeout(() => setChoice(next), delayMs)
        onChoose?.(next, replace)
      }}
    />
  )
}
