// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { TransactionRow } from '#contract/payments/transactions.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { TransactionsPanel } from './transactions-panel.tsx'

const LIST = `GET /api/calendars/${CALENDAR_ID}/transactions`
const MONEY = `GET /api/calendars/${CALENDAR_ID}/money`
const NOTHING = { months: [], outstanding: [] }

test('a payment shows when, how much, who, for what, through whom and how it stands', async () => {
  open([makeTransaction({ amount: 40, refunded_amount: 10, payment_id: 'pi_1' })])
  const table = await screen.findByRole('table', { name: 'Payment transactions' })
  const heads = within(table).getAllByRole('columnheader')
  expect(heads.map((head) => head.textContent)).toEqual([
    'Date',
    'Amount',
    'Customer',
    'Appointment',
    'Provider',
    'Status',
  ])
  const cells = within(table).getAllByRole('cell')
  expect(cells.map((cell) => cell.textContent)).toEqual([
    'Jan 4, 2027',
    '€40.00€10.00 refunded',
    'Grace Hopperada@example.org',
    'First consultationJan 5, 2027, 9:30 AM',
    'Stripe',
    'Completed',
  ])
  expect(screen.getByRole('button', { name: 'Copy payment ID pi_1' })).toBeDefined()
})

test.each([
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['refunded', 'Refunded'],
  ['manual', 'Manual Payment'],
  ['pending', 'Pending'],
  ['refund_pending', 'Pendingrefund_pending'],
  ['mismatch', 'Pendingmismatch'],
])('a payment that is %s says “%s”', async (status, words) => {
  open([makeTransaction({ status })])
  const table = await screen.findByRole('table', { name: 'Payment transactions' })
  expect(within(table).getAllByRole('cell').at(-1)?.textContent).toBe(words)
})

test.each([
  ['USD', '$40.00'],
  ['GBP', '£40.00'],
  ['EUR', '€40.00'],
])('%s is shown as %s', async (currency, amount) => {
  open([makeTransaction({ currency })])
  expect(await screen.findByText(amount)).toBeDefined()
})

test('a payment whose appointment is gone, and why one failed, are shown all the same', async () => {
  open([
    makeTransaction({ appointment: null, status: 'failed', failure: 'The payment didn’t arrive in time.' }),
  ])
  expect(await screen.findByText('Unknown')).toBeDefined()
  expect(screen.getByText('No longer stored')).toBeDefined()
  expect(screen.getByText('The payment didn’t arrive in time.')).toBeDefined()
})

test('without payments it says so', async () => {
  open([])
  expect(await screen.findByText('No Transactions Yet')).toBeDefined()
})

test('payments that cannot be read say so, are logged, and can be asked for again', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { user, api } = open([], { [LIST]: errorResponse('calendar.forbidden') })
  expect(await screen.findAllByText('Error loading payment transactions. Please try again.')).toHaveLength(1)
  expect(log.mock.calls.map(([line]) => line)).toContain('Loading the payment transactions failed')
  api.answer(LIST, { transactions: [], total: 0 })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No Transactions Yet')).toBeDefined()
})

test('more than ten payments come in pages', async () => {
  const page = ({ search }: SentRequest) => ({
    transactions: [makeTransaction({ payment_id: `pi_of_page_${search.get('page')}` })],
    total: 11,
  })
  const { user } = open([], { [LIST]: page })
  expect(await screen.findByText('Page 1 of 2')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Page 2' }))
  expect(await screen.findByRole('button', { name: 'Copy payment ID pi_of_page_2' })).toBeDefined()
})

test('the overview adds up each currency and lists the months', async () => {
  const money = {
    months: [
      { month: '2027-01', currency: 'EUR', sandbox: false, taken: 40.1, refunded: 40 },
      { month: '2027-01', currency: 'GBP', sandbox: false, taken: 2.5, refunded: 0 },
      { month: '2026-12', currency: 'EUR', sandbox: false, taken: 50.2, refunded: 0 },
    ],
    outstanding: [{ currency: 'EUR', amount: 120 }],
  }
  open([], { [MONEY]: money })
  await screen.findByRole('table', { name: 'Money by month' })
  const figures = () => screen.getAllByRole('definition').map((figure) => figure.textContent)
  await waitFor(() => expect(figures()).toEqual(['€90.30', '€40.00', '€120.00', '£2.50', '£0.00', '£0.00']))
  const rows = screen.getAllByRole('row').map((row) => row.textContent)
  expect(rows.slice(0, 4)).toEqual([
    'MonthTakenRefunded',
    'January 2027€40.10€40.00',
    'January 2027£2.50£0.00',
    'December 2026€50.20€0.00',
  ])
})

test('sandbox money says so in the table, and is summed apart from real money', async () => {
  const money = {
    months: [
      { month: '2027-01', currency: 'EUR', sandbox: false, taken: 40, refunded: 0 },
      { month: '2027-01', currency: 'EUR', sandbox: true, taken: 45, refunded: 5 },
    ],
    outstanding: [{ currency: 'EUR', amount: 120 }],
  }
  open([makeTransaction({ sandbox: true }), makeTransaction({ id: OTHER_ID })], { [MONEY]: money })
  const payments = await screen.findByRole('table', { name: 'Payment transactions' })
  expect(within(payments).getAllByText('Sandbox')).toHaveLength(1)
  await screen.findByRole('table', { name: 'Money by month' })
  const figures = screen.getAllByRole('definition').map((figure) => figure.textContent)
  expect(figures).toEqual(['€40.00', '€0.00', '€120.00', '€45.00', '€5.00'])
  const rows = screen.getAllByRole('row').map((row) => row.textContent)
  expect(rows.slice(1, 3)).toEqual(['January 2027€40.00€0.00', 'January 2027Sandbox€45.00€5.00'])
})

test('a refund that only its owner can make says so', async () => {
  open([makeTransaction({ status: 'refunded', returned_by_hand: true })])
  expect(await screen.findByText('Only recorded here. Please refund it yourself at Stripe.')).toBeDefined()
})

const OTHER_ID = '00000000-0000-4000-8000-000000000802'

function open(transactions: TransactionRow[], answers: Record<string, unknown> = {}) {
  const page = { transactions, total: transactions.length }
  const api = stubApi({ [LIST]: page, [MONEY]: NOTHING, ...answers })
  const { user } = renderComponent(<TransactionsPanel calendar={makeCalendar()} />)
  return { user, api }
}

function makeTransaction(over: Partial<TransactionRow> = {}): TransactionRow {
  return {
    id: '00000000-0000-4000-8000-000000000801',
    calendar_id: CALENDAR_ID,
    appointment_id: '00000000-0000-4000-8000-000000000501',
    created_at: '2027-01-04T08:00:00Z',
    amount: 40,
    refunded_amount: 0,
    return_amount: null,
    return_percent: null,
    currency: 'EUR',
    provider: 'stripe',
    status: 'completed',
    payment_id: null,
    failure: null,
    sandbox: false,
    returned_by_hand: false,
    appointment: {
      date: '2027-01-05',
      start_time: '09:30:00',
      end_time: '10:15:00',
      starts_at: '2027-01-05T09:30:00Z',
      time_zone: 'Europe/London',
      hour_cycle: 'h12',
      title: 'First consultation',
      booking_reference: 'BK-1764000000000',
      customer_id: '00000000-0000-4000-8000-000000000901',
      customer: { name: 'Grace Hopper', email: 'ada@example.org', phone: null, client_id: 'C1' },
    },
    ...over,
  }
}
