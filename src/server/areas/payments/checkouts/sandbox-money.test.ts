import { beforeAll, describe, expect, test } from 'vitest'
import type { AppointmentAction } from '#core/appointments/appointment-actions.ts'
import { SANDBOX_LABEL } from '#core/payments/provider-names.ts'
import type { PaymentProviderName } from '#server/ports/payment-provider.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import {
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  readAppointmentAndPayment,
  settlePayment,
  startCheckout,
} from '#tests/support/checkouts.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'

// Providers configured as in production: Stripe with live keys, and PayPal with the mode of each owner's app.
const providers = makeFakeProviders()

setUpOwner({ providers, env: { DEFAULT_PLAN: 'enterprise' } })

/** Test payments and real payments. */
const CASES = [
  ['PayPal’s mode sandbox', 'paypal', 'sandbox', true],
  ['PayPal’s mode live', 'paypal', 'live', false],
  ['Stripe beside a PayPal of the sandbox', 'stripe', 'sandbox', false],
] as const

describe.each(CASES)('money that was paid through %s', (_way, provider, mode, isSandbox) => {
  let calendar: PaidCalendar
  let id: string
  beforeAll(async () => {
    calendar = await makeCalendarOf(mode)
    id = await pay(calendar, provider)
  })

  test('stays marked when the mode changes later', async () => {
    await setMode(calendar, mode === 'live' ? 'sandbox' : 'live')
    expect((await readAppointmentAndPayment(meridian, id)).payment.is_sandbox).toBe(isSandbox)
    const [row] = (await get(`/api/calendars/${calendar.id}/transactions`)).transactions
    expect(row.sandbox).toBe(isSandbox)
  })

  test('has a row of its own in the overview', async () => {
    const { months } = await get(`/api/calendars/${calendar.id}/money`)
    expect(months).toEqual([
      { month: '2027-01', currency: 'EUR', sandbox: isSandbox, taken: 40, refunded: 0 },
    ])
  })

  test('is marked in the owner’s list and in the export', async () => {
    const { appointments } = await get(`/api/calendars/${calendar.id}/appointments?filter=all`)
    expect(appointments).toEqual([
      expect.objectContaining({ payment_status: 'paid', paid_in_sandbox: isSandbox }),
    ])
  })

  test('is mentioned in the emails and on the appointment’s page', async () => {
    await waitUntilEmailsSent(meridian.database)
    const mails = meridian.mails.filter(({ text }) => text.includes(calendar.name))
    expect(mails).toHaveLength(2)
    for (const { text } of mails) expect(text.includes(SANDBOX_LABEL)).toBe(isSandbox)
    const shown = await get(`/api/public/appointments/${id}`)
    expect(shown.price_note).toBe(isSandbox ? SANDBOX_LABEL : null)
  })

  test('is no longer marked when the owner records a payment by hand after the refund', async () => {
    await act(calendar, id, 'refund')
    const [refunded] = (await get(`/api/calendars/${calendar.id}/appointments?filter=all`)).appointments
    expect(refunded.paid_in_sandbox).toBe(isSandbox)
    await act(calendar, id, 'mark_paid')
    const [byHand] = (await get(`/api/calendars/${calendar.id}/appointments?filter=all`)).appointments
    expect(byHand).toMatchObject({ payment_status: 'paid', paid_in_sandbox: false })
  })
})

describe('before the payment', () => {
  test.each([
    ['sandbox', 'PayPal: sandbox, no real money moves', ['paypal']],
    ['live', null, []],
  ] as const)('a customer of a PayPal in mode %s reads: %s', async (mode, note, sandbox) => {
    const calendar = await makeCalendarOf(mode)
    expect(await get(`/api/public/calendars/${calendar.slug}/payment-providers`)).toEqual({
      stripe_connected: true,
      paypal_connected: true,
      note,
    })
    expect(await get(`/api/calendars/${calendar.id}/payment-settings`)).toMatchObject({ sandbox })
  })

  test('a customer who can only pay in the sandbox is told so', async () => {
    const calendar = await makeCalendarOf('sandbox')
    await meridian.database.db
      .updateTable('payment_settings')
      .set({ stripe_connected: false, stripe_account_id: null })
      .where('calendar_id', '=', calendar.id)
      .execute()
    const { note } = await get(`/api/public/calendars/${calendar.slug}/payment-providers`)
    expect(note).toBe(SANDBOX_LABEL)
  })
})

async function makeCalendarOf(mode: 'sandbox' | 'live'): Promise<PaidCalendar> {
  const calendar = await makePaidCalendar(meridian, owner)
  await setMode(calendar, mode)
  return calendar
}

async function setMode({ id }: PaidCalendar, mode: 'sandbox' | 'live'): Promise<void> {
  await meridian.database.db
    .updateTable('payment_settings')
    .set({ paypal_mode: mode })
    .where('calendar_id', '=', id)
    .execute()
}

async function pay(calendar: PaidCalendar, provider: PaymentProviderName): Promise<string> {
  const { id, checkoutId } = await startCheckout(meridian, calendar, { provider })
  providers[provider].pay(checkoutId)
  await settlePayment(meridian, id)
  return id
}

function act(calendar: PaidCalendar, id: string, action: AppointmentAction) {
  return sendAppointmentAction({ meridian, owner, calendar }, id, { action })
}

async function get(url: string) {
  return (await owner.get(url)).json()
}
