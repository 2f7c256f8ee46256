import { expect, type Page } from '@playwright/test'
import type { PublicAppointment } from '#contract/bookings.ts'
import type { PaymentOutcome } from '#contract/checkouts.ts'
import { EMAIL_LINK_SIGN } from '#contract/email-link-sign.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { makePerson, nextTuesday, post } from '#e2e/support/people.ts'
import { keepToast } from './keep-toast.ts'
import { FAILING, type Screen } from './screen.ts'
import type { World } from './world.ts'

const APPOINTMENT = '**/api/public/appointments/*'
const PAYMENT = `${APPOINTMENT}/payment`
const NEAR_TIMES = ['09:00', '10:30', '14:00'].map((time) => `${nextTuesday()}T${time}:00Z`)

/** As a link of an email leads there. */
const STOP_PAGE = `/cancel/emails${EMAIL_LINK_SIGN}${'A'.repeat(44)}`

const cancelPage =
  (which: keyof World['appointments']) =>
  ({ appointments }: World) =>
    `/cancel/${appointments[which]}`

/** What a customer sees after the booking: confirmation, cancellation, payment. */
export const CUSTOMER_SCREENS: readonly Screen[] = [
  {
    name: 'confirmation',
    path: ({ appointments }) => `/book/demo/confirmation?appointment_id=${appointments.confirmed}`,
    sees: 'Booking Confirmed!',
  },
  {
    name: 'confirmation-wordy',
    path: ({ calendars, appointments }) =>
      `/book/${calendars.wordy.slug}/confirmation?appointment_id=${appointments.wordy}`,
    sees: 'Booking Confirmed!',
  },
  {
    name: 'confirmation-cancelled',
    path: ({ appointments }) => `/book/demo/confirmation?appointment_id=${appointments.cancelled}`,
    sees: 'Appointment Cancelled',
  },
  {
    name: 'confirmation-unpaid',
    path: ({ appointments }) => `/book/demo/confirmation?appointment_id=${appointments.confirmed}`,
    answers: { [APPOINTMENT]: awaitingPayment },
    sees: 'Awaiting Payment',
  },
  {
    name: 'confirmation-code',
    path: ({ appointments }) => `/book/demo/confirmation?appointment_id=${appointments.confirmed}`,
    answers: { [APPOINTMENT]: awaitingCode },
    sees: 'Confirm your email address',
  },
  {
    name: 'confirmation-code-wrong',
    path: ({ appointments }) => `/book/demo/confirmation?appointment_id=${appointments.confirmed}`,
    answers: {
      [APPOINTMENT]: awaitingCode,
      [`${APPOINTMENT}/email-confirmation`]: 'confirmation.wrong_code',
    },
    does: async (page) => {
      await page.getByLabel('Code').fill('000000')
      await page.getByRole('button', { name: 'Confirm booking' }).click()
      await keepToast(page)
    },
    complains: /400/,
    sees: 'This code is not right. Please check the email and try again.',
  },
  {
    name: 'confirmation-coming',
    isPageless: true,
    path: ({ appointments }) => `/confirmation?appointment_id=${appointments.confirmed}`,
    only: 'phone',
    answers: { '**/assets/confirmation-page-*.js': 'never' },
    sees: 'Loading your appointment...',
  },
  {
    name: 'confirmation-loading',
    isPageless: true,
    path: ({ appointments }) => `/confirmation?appointment_id=${appointments.confirmed}`,
    only: 'phone',
    answers: { [APPOINTMENT]: 'never' },
    sees: 'Loading appointment details...',
  },
  {
    name: 'confirmation-failed',
    path: ({ appointments }) => `/confirmation?appointment_id=${appointments.confirmed}`,
    answers: { [APPOINTMENT]: 'error' },
    ...FAILING,
    sees: /^Failed to load appointment details/,
  },
  { name: 'confirmation-without-id', path: '/confirmation', sees: 'No appointment ID provided' },
  { name: 'cancel', path: cancelPage('confirmed'), sees: 'Request Cancellation' },
  { name: 'cancel-wordy', path: cancelPage('wordy'), sees: 'Request Cancellation' },
  {
    name: 'cancel-submitted',
    path: cancelPage('confirmed'),
    answers: { [`${APPOINTMENT}/cancellation-request`]: { json: { status: 'pending_cancellation' } } },
    does: async (page) => {
      await page.getByRole('button', { name: 'Request Cancellation' }).click()
      await keepToast(page)
    },
    sees: /^Cancellation request submitted successfully/,
  },
  {
    name: 'cancel-past',
    path: cancelPage('confirmed'),
    answers: { [APPOINTMENT]: aYearEarlier },
    sees: 'Your Appointment',
  },
  {
    name: 'cancel-unpaid',
    path: cancelPage('confirmed'),
    only: 'phone',
    answers: { [APPOINTMENT]: awaitingPayment },
    sees: 'Your Appointment',
  },
  {
    name: 'cancel-failed',
    path: cancelPage('confirmed'),
    only: 'phone',
    answers: { [APPOINTMENT]: 'error' },
    ...FAILING,
    sees: 'Failed to load appointment details',
  },
  { name: 'cancel-requested', path: cancelPage('requested'), sees: 'Cancellation Pending' },
  { name: 'cancel-cancelled', path: cancelPage('cancelled'), sees: 'Appointment Cancelled' },
  { name: 'stop-emails', path: STOP_PAGE, sees: 'Stop These Emails' },
  {
    name: 'stop-emails-stopped',
    path: STOP_PAGE,
    answers: { '**/api/public/email-stops': { json: null } },
    does: (page) => page.getByRole('button', { name: 'Stop Emails' }).click(),
    sees: 'Emails Are Stopped',
  },
  { name: 'stop-emails-link-cut', path: '/cancel/emails', sees: 'Link Not Complete' },
  { name: 'cancel-not-found', path: '/cancel/nothing', sees: 'Appointment Not Found' },
  { name: 'payment-at-stripe', path: '/', does: checkOut, sees: /^Pay €80/ },
  { name: 'payment-received', path: '/', does: pay, sees: 'Booking Confirmed!' },
  { name: 'payment-open', path: '/', does: comeBackUnpaid, sees: 'Payment Not Received' },
  {
    name: 'payment-processing',
    path: '/',
    answers: { [PAYMENT]: standing({ payment: 'processing' }) },
    does: comeBackUnpaid,
    sees: 'Payment Processing',
  },
  {
    name: 'payment-returned',
    path: '/',
    answers: { [PAYMENT]: standing({ payment: 'refunded', appointment: null, near_times: NEAR_TIMES }) },
    does: comeBackUnpaid,
    sees: 'Payment Returned',
  },
  {
    name: 'payment-not-completed',
    path: '/',
    answers: { [PAYMENT]: standing({ payment: 'ended', appointment: null }) },
    does: comeBackUnpaid,
    sees: 'Payment Not Completed',
  },
  {
    name: 'payment-failed',
    path: ({ appointments }) => `/payment-success?appointment_id=${appointments.confirmed}`,
    only: 'phone',
    answers: { [PAYMENT]: 'error' },
    ...FAILING,
    sees: /^Failed to load appointment details/,
  },
  { name: 'payment-cancelled', path: '/', does: goBack, sees: 'Payment Cancelled' },
  {
    name: 'payment-cancelled-alone',
    path: '/payment-cancelled?calendar_slug=demo',
    sees: 'Payment Cancelled',
  },
  { name: 'payment-without-id', path: '/payment-success', sees: 'No appointment ID provided' },
]

/** Begins a payment at a time of its own and goes to the provider's page. Returns the appointment's id. */
async function checkOut(page: Page, { calendars }: World): Promise<string> {
  const { slug } = calendars.paid
  const { request } = page.context()
  const person = makePerson('Mary Somerville')
  const types = await (await request.get(`/api/public/calendars/${slug}/appointment-types`)).json()
  const { id: typeId } = types.appointment_types.find(({ price }: { price: number }) => price === 80)
  const times = `/api/public/calendars/${slug}`
  const range = `from=${addDays(nextTuesday(), 1)}&to=${addDays(nextTuesday(), 28)}`
  const { days } = await (await request.get(`${times}/days?${range}&appointment_type_id=${typeId}`)).json()
  // Screens are taken side by side: each looks for a time of its own.
  const { date } = anyOf<{ date: string; open_slots: number }>(
    days.filter((day: { open_slots: number }) => day.open_slots > 0),
  )
  const { slots } = await (
    await request.get(`${times}/slots?date=${date}&appointment_type_id=${typeId}`)
  ).json()
  const { url, appointment_id } = await post<{ url: string; appointment_id: string }>(
    request,
    `/api/public/calendars/${slug}/checkouts`,
    {
      appointment_type_id: typeId,
      starts_at: anyOf<{ starts_at: string }>(slots).starts_at,
      time_zone: 'Europe/London',
      title: 'Stiff shoulders',
      customer: { name: person.name, email: person.email },
      provider: 'stripe',
    },
  )
  await page.goto(url)
  return appointment_id
}

function anyOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('There is none to choose')
  return item
}

async function pay(page: Page, world: World): Promise<void> {
  await checkOut(page, world)
  await page.getByRole('button', { name: /^Pay €80/ }).click()
  await expect(page).toHaveURL(/payment-success/)
}

async function comeBackUnpaid(page: Page, world: World): Promise<void> {
  const id = await checkOut(page, world)
  await page.goto(`/payment-success?appointment_id=${id}`)
}

async function goBack(page: Page, world: World): Promise<void> {
  await checkOut(page, world)
  await page.getByRole('link', { name: 'Back' }).click()
}

function awaitingPayment(appointment: PublicAppointment): PublicAppointment {
  return { ...appointment, status: 'pending_payment', payment_status: 'pending', appointment_type_price: 80 }
}

function awaitingCode(appointment: PublicAppointment): PublicAppointment {
  const { starts_at: confirm_email_until } = appointment
  return { ...appointment, status: 'pending_payment', confirm_email_until }
}

function aYearEarlier(appointment: PublicAppointment): PublicAppointment {
  const earlier = (text: string) => text.replace(/^\d{4}/, (year) => String(Number(year) - 1))
  const { date, starts_at, ends_at } = appointment
  return { ...appointment, date: earlier(date), starts_at: earlier(starts_at), ends_at: earlier(ends_at) }
}

/** How the payment stands, as if it had gone on like this. */
function standing(outcome: Partial<PaymentOutcome>) {
  return (now: PaymentOutcome): PaymentOutcome => ({ ...now, ...outcome })
}
