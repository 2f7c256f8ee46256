// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Customer } from '#contract/customers/customers.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { EditCustomerDialog } from './edit-customer.tsx'

const ID = '00000000-0000-4000-8000-000000000801'
const OTHER_ID = '00000000-0000-4000-8000-000000000802'
const CUSTOMER = `/api/calendars/${CALENDAR_ID}/customers/${ID}`

test('a corrected address says what it does before it is saved, and sends what the form showed', async () => {
  const { api, user } = await open()
  const email = screen.getByRole('textbox', { name: 'Email' })
  expect(screen.queryByText(/Emails go to the new address/)).toBeNull()
  await user.clear(email)
  expect(screen.getByText(/We won’t email them about appointments\./)).toBeTruthy()
  await enterText(user, email, 'grace@example.com')
  expect(screen.getByText(/Links in emails to grcae@example.com will stop working\./)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Customer saved')).toBeTruthy()
  expect(api.to(`PATCH ${CUSTOMER}`)[0]?.body).toEqual({
    name: 'Grace Hopper',
    email: 'grace@example.com',
    phone: '',
    was: { name: 'Grace Hopper', email: 'grcae@example.com', phone: '' },
  })
})

test('the same address in capitals is no other one', async () => {
  const { user } = await open()
  const email = screen.getByRole('textbox', { name: 'Email' })
  await user.clear(email)
  await enterText(user, email, 'GRCAE@example.com')
  expect(screen.queryByText(/Links in emails/)).toBeNull()
})

test('an address of another record leads to the merge, with that record found already', async () => {
  const { api, user } = await open({ [`PATCH ${CUSTOMER}`]: TAKEN })
  const email = screen.getByRole('textbox', { name: 'Email' })
  await user.clear(email)
  await enterText(user, email, 'grace@example.com')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.click(await screen.findByRole('button', { name: 'Merge the two records' }))
  const dialog = await screen.findByRole('dialog', { name: 'Merge two records' })
  await user.click(await within(dialog).findByRole('radio', { name: 'Grace Hopper' }))
  await user.click(within(dialog).getByRole('button', { name: 'Merge records' }))
  expect(await screen.findByText('The records have been merged')).toBeTruthy()
  expect(api.to(`POST ${CUSTOMER}/merge`)[0]?.body).toEqual({ other_id: OTHER_ID })
  // The form still contains the typed text, which can be saved now.
  api.answer(`PATCH ${CUSTOMER}`, makeCustomer({ email: 'grace@example.com' }))
  expect(screen.queryByRole('button', { name: 'Merge the two records' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Customer saved')).toBeTruthy()
})

test('two records of the same name are told apart wherever the merge names them', async () => {
  const { money: _money, notes: _notes, created_at: _at, erased_at: _erased, ...listed } = makeCustomer()
  const other = {
    ...listed,
    id: OTHER_ID,
    email: null,
    phone: '+44 20 7946 0958',
    appointments: 3,
    client_id: 'C2',
  }
  const { user } = await open({
    [`PATCH ${CUSTOMER}`]: TAKEN,
    [`GET /api/calendars/${CALENDAR_ID}/customer-list`]: { customers: [listed, other], total: 2 },
  })
  const email = screen.getByRole('textbox', { name: 'Email' })
  await user.clear(email)
  await enterText(user, email, 'grace@example.com')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.click(await screen.findByRole('button', { name: 'Merge the two records' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge two records' }))
  const kept = 'Grace Hopper (grcae@example.com · 1 appointment · C1)'
  const gone = 'Grace Hopper (No email · +44 20 7946 0958 · 3 appointments · C2)'
  dialog.getByText(`We’ll keep the record of ${kept}. Choose the record to merge into it.`)
  await user.click(await dialog.findByRole('radio', { name: 'Grace Hopper' }))
  dialog.getByText(
    `All appointments of ${gone}, with their payments and messages, move to ${kept}, and so do your notes.`,
  )
})

test('a customer needs a name', async () => {
  const { api, user } = await open()
  await user.clear(screen.getByRole('textbox', { name: /^Name/ }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(api.to(`PATCH ${CUSTOMER}`)).toEqual([])
})

const TAKEN = errorResponse('customer.address_taken', [
  { path: 'email', message: 'Another customer has it.' },
])

async function open(answers: Record<string, unknown> = {}) {
  const {
    phone_numbers: _numbers,
    money: _money,
    notes: _notes,
    created_at: _at,
    erased_at: _erased,
    ...listed
  } = makeCustomer()
  const api = stubApi({
    [`PATCH ${CUSTOMER}`]: makeCustomer({ email: 'grace@example.com' }),
    [`POST ${CUSTOMER}/merge`]: makeCustomer(),
    [`GET /api/calendars/${CALENDAR_ID}/customer-list`]: {
      customers: [listed, { ...listed, id: OTHER_ID, email: 'grace@example.com' }],
      total: 2,
    },
    ...answers,
  })
  const { user } = renderComponent(<EditCustomerDialog calendarId={CALENDAR_ID} customer={makeCustomer()} />)
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  await screen.findByRole('dialog', { name: 'Edit customer' })
  return { api, user }
}

function makeCustomer(over: Partial<Customer> = {}): Customer {
  return {
    id: ID,
    client_id: 'C1',
    name: 'Grace Hopper',
    email: 'grcae@example.com',
    phone: null,
    phone_numbers: [],
    appointments: 1,
    latest_at: '2027-01-05T09:00:00Z',
    created_at: '2026-12-01T09:00:00Z',
    erased_at: null,
    notes: null,
    money: [],
    ...over,
  }
}
