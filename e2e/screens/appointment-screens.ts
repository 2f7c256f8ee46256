import type { Page } from '@playwright/test'
import type { z } from 'zod'
import type { AppointmentActionResponse } from '#contract/appointment-actions.ts'
import type { AppointmentsResponse, UndeliveredMessagesResponse } from '#contract/appointments.ts'
import type { appointmentHistoryResponse, ExternalEvents } from '#contract/external-calendars.ts'
import type { AppointmentMessage, AppointmentMessagesResponse } from '#contract/messages.ts'
import type { AppointmentTime } from '#contract/owner-booking.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { nextTuesday } from '#e2e/support/people.ts'
import { answerWith } from './answers.ts'
import { tab as calendarTab } from './calendar-tab.ts'
import { keepToast } from './keep-toast.ts'
import { OVERLAPS } from './people-answers.ts'
import { awaited, FAILING, type Screen } from './screen.ts'
import type { World } from './world.ts'

const LIST = '**/appointments?*'
const MESSAGES = '**/appointments/*/messages'
const tab = (of: keyof World['calendars'], query?: string) => calendarTab('appointments', of, query)
const week = `&view=week&date=${nextTuesday()}`

/** As a message stands when its address takes none for three days. */
const GIVEN_UP: Partial<AppointmentMessage> = {
  state: 'given_up',
  attempts: 14,
  last_error: 'The mail server did not take it: 550 mailbox not found',
  can_send_again: true,
}

/** As a message stands whose recipient got several emails and has answered none. */
const WAITING: Partial<AppointmentMessage> = {
  state: 'waiting',
  waits_for: 'email_unanswered',
  at: `${nextTuesday()}T09:00:00Z`,
}

const EVENT: ExternalEvents['events'][number] = {
  external_calendar_id: '00000000-0000-4000-8000-000000000901',
  calendar_name: 'Rosa Calder',
  title: 'Dentist',
  color: '#0b8043',
  starts_at: `${nextTuesday()}T11:00:00Z`,
  ends_at: `${nextTuesday()}T12:30:00Z`,
  is_all_day: false,
}

/** A day of somebody who has more to do than this. */
const OWN_EVENTS = {
  '**/external-events?*': {
    json: {
      events: [
        EVENT,
        {
          ...EVENT,
          title: null,
          color: '#d50000',
          calendar_name: 'Family',
          starts_at: `${nextTuesday()}T16:00:00Z`,
          ends_at: `${nextTuesday()}T16:20:00Z`,
        },
        {
          ...EVENT,
          title: 'Conference in Leeds, with a rather long name',
          color: null,
          starts_at: `${nextTuesday()}T00:00:00Z`,
          ends_at: `${addDays(nextTuesday(), 2)}T00:00:00Z`,
          is_all_day: true,
        },
      ],
    } satisfies ExternalEvents,
  },
}

const HISTORY: z.infer<typeof appointmentHistoryResponse> = {
  entries: [
    {
      id: '00000000-0000-4000-8000-000000000b02',
      at: '2026-11-21T10:15:00Z',
      kind: 'moved',
      caused_by: 'external_calendar',
      text: 'The event was changed in the external calendar, so the appointment was moved from Tuesday, December 1, 2026, 2:00 PM to 2:50 PM, to Tuesday, December 1, 2026, 3:30 PM to 4:20 PM.',
    },
    {
      id: '00000000-0000-4000-8000-000000000b01',
      at: '2026-11-20T09:00:00Z',
      kind: 'put_back',
      caused_by: 'product',
      text: 'The event in your external calendar was moved to Tuesday, December 1, 2026, 11:00 AM to 11:50 AM. It was put back: This time is taken. Please choose another one.',
    },
  ],
}

const UNCHECKED = 'Could not verify Google Calendar conflicts. Please check manually.'

const TWO_NUMBERS = {
  phone: 'home +44 (0)20 7946 0958 or at work +44 20 7946 0018 ext. 204, not on Fridays',
  phone_numbers: [
    { typed: '+44 (0)20 7946 0958', dials: '+442079460958' },
    { typed: '+44 20 7946 0018 ext. 204', dials: '+442079460018;ext=204' },
  ],
}

/** A calendar's appointments as a list, a week and a day, and the dialogs around them. */
export const APPOINTMENT_SCREENS: readonly Screen[] = [
  { name: 'upcoming', path: tab('demo'), as: 'demo', does: openRow, sees: 'Booking reference' },
  { name: 'past', path: tab('demo', '&filter=past'), as: 'demo', does: openRow, sees: 'Booking reference' },
  {
    name: 'last-page',
    path: tab('demo', '&filter=all&page=2'),
    as: 'demo',
    does: openRow,
    sees: 'Booking reference',
  },
  { name: 'empty', path: tab('empty', '&filter=past'), as: 'beginner', sees: 'No appointments found' },
  { name: 'nothing-matches', path: tab('demo', '&search=nobody'), as: 'demo', sees: 'Clear search' },
  { name: 'wordy', path: tab('wordy'), as: 'wordy', does: openRow, sees: 'Booking reference' },
  ...awaited({ name: 'list', path: tab('demo'), as: 'demo' }, [LIST], {
    loading: 'Loading appointments...',
    failed: 'Failed to load appointments',
  }),
  {
    name: 'messages',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    does: (page) => pressInRow(page, 'Messages'),
    sees: 'Booking confirmation',
  },
  {
    name: 'messages-undelivered',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    answers: {
      [LIST]: ({ appointments, ...rest }: AppointmentsResponse) => ({
        ...rest,
        appointments: appointments.map((row) => ({ ...row, undelivered_messages: 1 })),
      }),
      [MESSAGES]: ({ messages }: AppointmentMessagesResponse) => ({
        messages: messages.map((message) =>
          message.kind === 'booking_confirmation' ? { ...message, ...GIVEN_UP } : message,
        ),
      }),
    },
    does: (page) => pressInRow(page, 'Messages'),
    sees: ['A message about this appointment could not be delivered.', 'Send again'],
  },
  {
    name: 'messages-waiting',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    answers: {
      [LIST]: ({ appointments, ...rest }: AppointmentsResponse) => ({
        ...rest,
        appointments: appointments.map((row) => ({ ...row, waiting_messages: 1 })),
      }),
      [MESSAGES]: ({ messages }: AppointmentMessagesResponse) => ({
        messages: messages.map((message) =>
          message.kind === 'booking_confirmation' ? { ...message, ...WAITING } : message,
        ),
      }),
    },
    does: (page) => pressInRow(page, 'Messages'),
    sees: /will be tried again .*, or when an earlier email is answered/,
  },
  {
    name: 'awaits-email-code',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    answers: {
      [LIST]: ({ appointments, ...rest }: AppointmentsResponse) => ({
        ...rest,
        appointments: appointments.map((row) => ({
          ...row,
          status: 'pending_payment',
          awaits_email_code: true,
        })),
      }),
    },
    does: openRow,
    sees: 'Awaiting Email Code',
  },
  {
    name: 'messages-failed',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    only: 'phone',
    answers: { [MESSAGES]: 'error' },
    ...FAILING,
    does: (page) => pressInRow(page, 'Messages'),
    sees: 'Failed to load messages',
  },
  {
    name: 'undelivered',
    path: tab('demo'),
    as: 'demo',
    does: loseMessages,
    sees: '3 messages could not be delivered',
  },
  {
    name: 'undelivered-shown',
    path: tab('demo'),
    as: 'demo',
    does: async (page, world) => {
      await loseMessages(page, world)
      await page.getByRole('button', { name: 'Show them' }).click()
    },
    sees: 'Messages that could not be delivered',
  },
  {
    name: 'payment-menu',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    does: (page) => pressInRow(page, 'Payment'),
    sees: 'Mark as Failed',
  },
  {
    name: 'cancel',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    does: (page) => pressInRow(page, 'Cancel'),
    sees: 'Cancel this appointment?',
  },
  {
    name: 'cancel-paid',
    path: tab('demo', '&search=Somerville'),
    as: 'demo',
    does: (page) => pressInRow(page, 'Cancel'),
    sees: ['Cancel this appointment?', 'Another amount'],
  },
  {
    name: 'refund',
    path: tab('demo', '&search=Somerville'),
    as: 'demo',
    does: async (page) => {
      await openRow(page)
      const buttons = page.getByRole('main').getByRole('button', { name: /^(Refund|Payment)$/ })
      await buttons.first().click()
      const entry = page.getByRole('menuitem', { name: 'Refund' })
      if (await entry.isVisible()) await entry.click()
    },
    sees: 'Refund this payment?',
  },
  {
    name: 'restore',
    path: tab('demo', '&search=Babbage'),
    as: 'demo',
    does: (page) => pressInRow(page, 'Restore'),
    sees: 'Restore this appointment?',
  },
  {
    name: 'restore-unchecked',
    path: tab('demo', '&search=Babbage'),
    as: 'demo',
    answers: {
      'POST **/appointments/*/actions': {
        json: {
          id: '00000000-0000-4000-8000-000000000501',
          status: 'confirmed',
          payment_status: 'pending',
          announced: 'restored',
          email: 'queued',
          warning: UNCHECKED,
        } satisfies AppointmentActionResponse,
      },
    },
    does: async (page) => {
      await pressInRow(page, 'Restore')
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^Restore/ })
        .click()
      await keepToast(page)
    },
    sees: UNCHECKED,
  },
  {
    name: 'several-phones',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    answers: {
      [LIST]: ({ appointments, ...rest }: AppointmentsResponse) => ({
        ...rest,
        appointments: appointments.map(({ customers, ...row }) => ({
          ...row,
          customers: { ...customers, ...TWO_NUMBERS },
        })),
      }),
    },
    does: openRow,
    sees: '+44 (0)20 7946 0958',
  },
  {
    name: 'requested',
    path: tab('demo', '&search=Turing'),
    as: 'demo',
    does: openRow,
    sees: 'Approve Cancellation',
  },
  ...awaited({ name: 'week', path: tab('demo', week), as: 'demo' }, ['**/appointments/agenda?*'], {
    loading: 'Loading appointments...',
    failed: 'Failed to load appointments',
  }),
  { name: 'week', path: tab('demo', week), as: 'demo', sees: 'Walter Walkin' },
  { name: 'day', path: tab('demo', `&view=day&date=${nextTuesday()}`), as: 'demo', sees: 'Walter Walkin' },
  {
    name: 'week-empty',
    path: tab('empty', '&view=week&date=2027-03-02'),
    as: 'beginner',
    sees: /No appointments/,
  },
  {
    name: 'week-own-calendars',
    path: tab('demo', week),
    as: 'demo',
    answers: OWN_EVENTS,
    sees: ['Walter Walkin', 'Dentist'],
  },
  {
    name: 'day-own-calendars',
    path: tab('demo', `&view=day&date=${nextTuesday()}`),
    as: 'demo',
    answers: OWN_EVENTS,
    sees: ['Walter Walkin', 'Dentist'],
  },
  {
    name: 'week-own-calendars-missing',
    path: tab('demo', week),
    as: 'demo',
    only: 'phone',
    answers: { '**/external-events?*': 'error' },
    complains: /500/,
    sees: 'Your own calendars could not be loaded',
  },
  {
    name: 'history',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    answers: { '**/appointments/*/history': { json: HISTORY } },
    does: (page) => pressInRow(page, 'History'),
    sees: /moved the appointment from/,
  },
  {
    name: 'history-failed',
    path: tab('demo', '&search=Lovelace'),
    as: 'demo',
    only: 'phone',
    answers: { '**/appointments/*/history': 'error' },
    ...FAILING,
    does: (page) => pressInRow(page, 'History'),
    sees: 'Failed to load the history',
  },
  {
    name: 'details',
    path: tab('demo', week),
    as: 'demo',
    does: (page) => pressFirst(page, /Walter Walkin/),
    sees: 'Booking reference',
  },
  { name: 'new', path: tab('demo'), as: 'demo', does: openNew, sees: 'Appointment type' },
  {
    name: 'new-another-time',
    path: tab('demo'),
    as: 'demo',
    sees: 'This is outside your opening hours.',
    does: async (page) => {
      const dialog = await openNew(page)
      await dialog.getByLabel('Customer').fill('Walter Walkin')
      await dialog.getByRole('combobox', { name: /^Appointment type/ }).click()
      await page.getByRole('option', { name: /^Individual session/ }).click()
      await dialog.getByLabel(/^Date/).fill(nextTuesday())
      await dialog.getByRole('button', { name: 'Another time' }).click()
      await dialog.getByLabel(/^Start/).fill('21:30')
    },
  },
  {
    name: 'new-taken-elsewhere',
    path: tab('demo'),
    as: 'demo',
    answers: {
      '**/appointment-time?*': (judged: AppointmentTime) => ({
        ...judged,
        standing: 'busy',
        concerns: [],
        appointment_elsewhere: OVERLAPS.overlaps[0]?.second,
      }),
    },
    sees: /^This time is taken by the appointment of/,
    does: async (page) => {
      const dialog = await openNew(page)
      await dialog.getByLabel('Customer').fill('Walter Walkin')
      await dialog.getByRole('combobox', { name: /^Appointment type/ }).click()
      await page.getByRole('option', { name: /^Individual session/ }).click()
      await dialog.getByLabel(/^Date/).fill(nextTuesday())
      await dialog.getByRole('button', { name: 'Another time' }).click()
      await dialog.getByLabel(/^Start/).fill('09:30')
    },
  },
  {
    name: 'new-errors',
    path: tab('demo'),
    as: 'demo',
    sees: /name/i,
    does: async (page) => {
      const dialog = await openNew(page)
      await dialog.getByRole('button', { name: 'Book appointment' }).click()
    },
  },
]

async function pressFirst(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('main').getByRole('button', { name }).first().click()
}

/** On a phone a row is a line, which opens. */
async function openRow(page: Page): Promise<void> {
  const row = page.getByRole('article').first()
  await row.waitFor()
  const line = row.getByRole('heading').getByRole('button', { expanded: false })
  if ((await line.count()) > 0) await line.click()
}

async function pressInRow(page: Page, name: string): Promise<void> {
  await openRow(page)
  await pressFirst(page, name)
}

async function openNew(page: Page) {
  await page.getByRole('button', { name: 'New appointment' }).first().click()
  return page.getByRole('dialog', { name: 'New appointment' })
}

/** As it is when three messages about two appointments were given up. */
async function loseMessages(page: Page, { calendars }: World): Promise<void> {
  const list = await page.request.get(`/api/calendars/${calendars.demo.id}/appointments`)
  const { appointments }: AppointmentsResponse = await list.json()
  const lost: UndeliveredMessagesResponse = {
    messages: 3,
    appointments: appointments.slice(0, 2).map((row, index) => ({ ...row, undelivered_messages: index + 1 })),
  }
  await answerWith(page, { '**/undelivered-messages': { json: lost } })
  await page.reload()
  await page.getByRole('button', { name: 'Show them' }).waitFor()
}
