import type { Page } from '@playwright/test'
import type { ManagedAppointment, ManagedAppointmentsResponse } from '#contract/managed-appointments.ts'
import { keepToast } from './keep-toast.ts'
import { awaited, FAILING, type Screen } from './screen.ts'
import type { World } from './world.ts'

const VIEW = '**/api/public/manage/*'
const ALL = `${VIEW}/appointments`

const managePage = ({ manageToken }: World) => `/manage/${manageToken}`

/** A link that opens nothing, by the code of the refusal. */
function refused(name: string, code: 'replaced' | 'ended' | 'erased' | 'given_back', sees: string): Screen {
  return {
    name: `manage-${name}`,
    path: managePage,
    only: 'phone',
    answers: { [VIEW]: `manage.${code}` },
    complains: /410/,
    sees,
  }
}

const ofConfirmed = { [VIEW]: changed({ is_confirmed: true }), [ALL]: { json: manyAppointments() } }

/** The customer's own page of an appointment. */
export const MANAGE_SCREENS: readonly Screen[] = [
  { name: 'manage', path: managePage, sees: ['Your Appointment', 'Add to calendar', 'Send me a code'] },
  {
    name: 'manage-moved',
    path: managePage,
    only: 'phone',
    answers: { [VIEW]: changed({ moved_from: '2026-12-01T10:00:00Z' }) },
    sees: /^It was moved\. Before, it was on December 1, 2026, 10:00 AM\.$/,
  },
  {
    name: 'manage-past',
    path: managePage,
    only: 'phone',
    answers: { [VIEW]: changed({ standing: 'past', can_change: false }) },
    sees: 'This appointment has begun or is over.',
  },
  {
    name: 'manage-cancelled',
    path: managePage,
    answers: { [VIEW]: changed({ standing: 'cancelled', can_change: false }) },
    sees: 'Appointment Cancelled',
  },
  {
    name: 'manage-requested',
    path: managePage,
    only: 'phone',
    answers: { [VIEW]: changed({ standing: 'pending_cancellation' }) },
    sees: 'Cancellation Pending',
  },
  {
    name: 'manage-unpaid',
    path: managePage,
    only: 'phone',
    answers: { [VIEW]: changed({ standing: 'awaits_payment', can_change: false }) },
    sees: 'Awaiting Payment',
  },
  {
    name: 'manage-move',
    path: managePage,
    does: (page) => page.getByRole('button', { name: 'Move to another time' }).click(),
    sees: ['Choose another time', /^Keep /],
  },
  {
    name: 'manage-cancel',
    path: managePage,
    does: (page) => page.getByRole('button', { name: 'Ask to cancel' }).click(),
    sees: 'Ask to cancel this appointment?',
  },
  ...awaited({ name: 'manage', path: managePage, isPageless: true }, [VIEW], {
    loading: 'Loading your appointment...',
    failed: 'Failed to load your appointment',
  }),
  { name: 'manage-not-found', path: '/manage/nothing', complains: /404/, sees: 'Link Not Found' },
  refused('replaced', 'replaced', 'Link Replaced'),
  refused('ended', 'ended', 'Link Ended'),
  refused('erased', 'erased', 'Details Erased'),
  refused('given-back', 'given_back', 'Booking Not Completed'),
  {
    name: 'manage-form',
    path: managePage,
    does: change,
    sees: ['Phone (optional)', 'Save'],
  },
  {
    name: 'manage-form-loading',
    path: managePage,
    only: 'phone',
    answers: { '**/assets/details-form-*.js': 'never' },
    does: change,
    sees: 'Loading the form...',
  },
  {
    name: 'manage-form-refused',
    path: managePage,
    only: 'phone',
    answers: { [`PATCH ${VIEW}`]: 'manage.not_changeable' },
    does: async (page) => {
      await change(page)
      await page.getByRole('button', { name: 'Save' }).click()
    },
    complains: /409/,
    sees: /^This appointment has begun, is over or was cancelled/,
  },
  {
    name: 'manage-code',
    path: managePage,
    answers: { [`${VIEW}/code`]: { json: null } },
    does: askForCode,
    sees: /^We have sent a code with six digits to /,
  },
  {
    name: 'manage-code-wrong',
    path: managePage,
    only: 'phone',
    answers: { [`${VIEW}/code`]: { json: null }, [`${VIEW}/session`]: 'confirmation.wrong_code' },
    does: async (page) => {
      await askForCode(page)
      await page.getByLabel('Code').fill('000000')
      await page.getByRole('button', { name: 'Continue' }).click()
    },
    complains: /400/,
    sees: 'This code is not right. Please check the email and try again.',
  },
  {
    name: 'manage-code-refused',
    path: managePage,
    only: 'phone',
    answers: { [`${VIEW}/code`]: 'manage.codes_sent_often' },
    does: askForCode,
    complains: /429/,
    sees: /^Codes were sent as often as possible for now/,
  },
  { name: 'manage-all', path: managePage, answers: ofConfirmed, sees: ['To come', 'Download my data'] },
  {
    name: 'manage-all-loading',
    path: managePage,
    only: 'phone',
    answers: { ...ofConfirmed, [ALL]: 'never' },
    sees: 'Loading your appointments...',
  },
  {
    name: 'manage-all-failed',
    path: managePage,
    only: 'phone',
    answers: { ...ofConfirmed, [ALL]: 'error' },
    ...FAILING,
    sees: 'Failed to load your appointments',
  },
  {
    name: 'manage-erase',
    path: managePage,
    answers: ofConfirmed,
    does: (page) => page.getByRole('button', { name: 'Erase my data' }).click(),
    sees: 'Erase your data?',
  },
  {
    name: 'manage-erase-ahead',
    path: managePage,
    only: 'phone',
    answers: { ...ofConfirmed, [`DELETE ${VIEW}/record`]: 'customer.appointments_ahead' },
    does: async (page) => {
      await page.getByRole('button', { name: 'Erase my data' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Erase my data' }).click()
      await keepToast(page)
    },
    complains: /409/,
    sees: 'There are still appointments ahead. Please cancel them first.',
  },
]

async function change(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Change', exact: true }).click()
}

async function askForCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send me a code' }).click()
}

/** The product's own answer, as if this were so. */
function changed(change: Partial<ManagedAppointment>) {
  return (view: ManagedAppointment): ManagedAppointment => ({ ...view, ...change })
}

function manyAppointments(): ManagedAppointmentsResponse {
  const common = {
    ends_at: '',
    time_zone: 'Europe/London',
    customer_time_zone: null,
    is_online: false,
    booking_reference: 'BK-1',
  }
  const listed = [
    { title: 'Online session', standing: 'upcoming', starts_at: '2035-12-03T14:00:00Z', token: 'A' },
    {
      title: 'Couple session',
      standing: 'pending_cancellation',
      starts_at: '2035-11-05T09:30:00Z',
      token: 'B',
    },
    { title: 'First consultation', standing: 'past', starts_at: '2026-06-02T09:30:00Z', token: 'C' },
    { title: 'Online session', standing: 'cancelled', starts_at: '2026-01-12T16:00:00Z', token: null },
  ] as const
  return {
    is_complete: true,
    appointments: listed.map((one, i) => ({
      ...common,
      ...one,
      ends_at: one.starts_at,
      id: `00000000-0000-4000-8000-00000000000${i}`,
    })),
  }
}
