// @vitest-environment happy-dom

import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { UNCLEAR_AMOUNT_MESSAGE } from '#web/shared/parse-amount.ts'
import { enterText } from '#web/testing/enter-text.ts'
import {
  CALENDAR_ID,
  makeAppointmentType,
  makeCalendar,
  makePaymentSettings,
  makeSubscription,
} from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { PaymentsPanel } from './payments-panel.tsx'

const TYPES = `/api/calendars/${CALENDAR_ID}/appointment-types`
const LIST = `GET ${TYPES}`
const makeType = (id: string, over: Partial<AppointmentType> = {}) =>
  makeAppointmentType({ id, name: id, ...over })
const update = (id: string) => `PATCH ${TYPES}/${id}`

beforeEach(() => localStorage.clear())

test('the types without a price are listed when a first provider is connected, and saved together', async () => {
  const { user, api, answerList } = open([makeType('Talk', { fee_note: '€50, in cash' }), makeType('Yoga')])
  const form = within(await screen.findByRole('form', { name: 'Prices' }))
  expect(screen.getByText('2 appointment types have no price yet.')).toBeDefined()
  expect(form.getByText('€50, in cash').parentElement?.id).toBe(
    form.getByLabelText('Talk (€)').getAttribute('aria-describedby'),
  )
  await enterText(user, form.getByLabelText('Talk (€)'), '49,50')
  await enterText(user, form.getByLabelText('Yoga (€)'), '1.234,00')
  await user.click(form.getByRole('button', { name: 'Save prices' }))
  expect(form.getByText(UNCLEAR_AMOUNT_MESSAGE)).toBeDefined()
  expect(document.activeElement).toBe(form.getByLabelText('Yoga (€)'))
  expect(api.to(update('Talk'))).toEqual([])

  await user.clear(form.getByLabelText('Yoga (€)'))
  await enterText(user, form.getByLabelText('Yoga (€)'), '90')
  for (const id of ['Talk', 'Yoga']) api.answer(update(id), makeType(id, { price: 1 }))
  answerList([makeType('Talk', { price: 49.5 }), makeType('Yoga', { price: 90 })])
  await user.click(form.getByRole('button', { name: 'Save prices' }))
  expect(await screen.findByText('2 prices saved')).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Add prices' })).toBeNull())
  expect(api.to(update('Talk'))[0]?.body).toEqual({ price: 49.5, was: { price: null } })
  expect(api.to(update('Yoga'))[0]?.body).toEqual({ price: 90, was: { price: null } })
  expect(document.activeElement?.contains(screen.getByRole('heading', { name: 'Payments' }))).toBe(true)
})

test('a refusal names its type and keeps the other typed prices', async () => {
  const { user, api, answerList } = open([makeType('Talk'), makeType('Yoga'), makeType('Massage')])
  await enterText(user, await screen.findByLabelText('Talk (€)'), '50')
  await enterText(user, screen.getByLabelText('Yoga (€)'), '90')
  await enterText(user, screen.getByLabelText('Massage (€)'), '45')
  api.answer(update('Talk'), makeType('Talk', { price: 50 }))
  api.answer(update('Yoga'), errorResponse('server.unavailable'))
  answerList([makeType('Talk', { price: 50 }), makeType('Yoga'), makeType('Massage')])
  await user.click(screen.getByRole('button', { name: 'Save prices' }))
  const sentence = `The price of Yoga wasn’t saved: ${PROBLEMS['server.unavailable'].title}`
  expect(await screen.findByText(sentence)).toBeDefined()
  await waitFor(() => expect(screen.queryByLabelText('Talk (€)')).toBeNull())
  expect(screen.getByLabelText('Yoga (€)')).toHaveProperty('value', '90')
  expect(screen.getByLabelText('Massage (€)')).toHaveProperty('value', '45')
  expect(api.to(update('Massage'))).toEqual([])
})

test('where other types have prices, a button opens the list and Not now closes it', async () => {
  const { user } = open([makeType('Talk', { price: 50 }), makeType('Yoga')])
  await user.click(await screen.findByRole('button', { name: 'Add prices' }))
  expect(screen.getByText('1 appointment type has no price yet.')).toBeDefined()
  const field = screen.getByLabelText('Yoga (€)')
  expect(document.activeElement).toBe(field)
  await user.type(field, '90')
  await user.click(screen.getByRole('button', { name: 'Not now' }))
  const opener = screen.getByRole('button', { name: 'Add prices' })
  expect(document.activeElement).toBe(opener)
  await user.click(opener)
  expect(screen.getByLabelText('Yoga (€)')).toHaveProperty('value', '')
})

test('a list that was put off stays closed on the next visit', async () => {
  const { user } = open([makeType('Talk'), makeType('Yoga')])
  await user.click(await screen.findByRole('button', { name: 'Not now' }))
  cleanup()
  open([makeType('Talk'), makeType('Yoga')])
  expect(await screen.findByText('2 appointment types have no price yet.')).toBeDefined()
  expect(screen.queryByRole('form', { name: 'Prices' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Add prices' })).toBeDefined()
})

test.each([
  ['no provider is connected', false, [makeType('Talk')]],
  ['every type has a price', true, [makeType('Talk', { price: 0 })]],
  ['there are no types', true, []],
])('nothing is offered where %s', async (_why, isConnected, types) => {
  open(types, isConnected)
  await screen.findByRole('heading', { name: 'Payments' })
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Add prices' })).toBeNull())
})

function open(types: AppointmentType[], stripe_connected = true) {
  const list = (appointment_types: AppointmentType[]) => ({
    appointment_types,
    stripe_connected,
    paypal_connected: false,
  })
  const api = stubApi({
    [`GET /api/calendars/${CALENDAR_ID}/payment-settings`]: makePaymentSettings({ stripe_connected }),
    [LIST]: list(types),
  })
  const { user } = renderComponent(
    <PaymentsPanel calendar={makeCalendar()} subscription={makeSubscription()} />,
  )
  return { user, api, answerList: (left: AppointmentType[]) => api.answer(LIST, list(left)) }
}
