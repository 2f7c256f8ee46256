import { WAIT_REASON_SENTENCES } from '#contract/messages/messages.ts'
import type { ReminderSettings } from '#contract/messages/reminder-settings.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { bookingUrlAt } from '#core/addresses/public-url.ts'
import { PAGE_PROBLEM_KINDS } from '#core/calendars/page-problems.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import {
  buildAccountDeleted,
  buildAccountNotice,
  buildAddressChange,
  buildAddressChanged,
  buildAddressChangeNotice,
  buildAddressChangeTaken,
  buildAddressConfirmation,
  buildAlreadyRegistered,
  buildInvitation,
  buildPasswordReset,
} from '#server/messages/emails/account-mail.ts'
import type { AppointmentMailContent } from '#server/messages/emails/appointment-facts.ts'
import {
  buildBookingConfirmation,
  buildCancellationDenied,
  buildEmailAddressChanged,
  buildMovedByCustomerNotice,
  buildMovedConfirmation,
  buildOwnerBookingNotice,
  buildOwnerCancellationRequest,
  buildOwnerConfirmedNotice,
  buildOwnerMovedNotice,
  buildOwnerRestoredNotice,
  buildRestoredConfirmation,
} from '#server/messages/emails/appointment-mail.ts'
import { buildBackupFailed } from '#server/messages/emails/backup-failed-mail.ts'
import { buildCalendarExpired } from '#server/messages/emails/calendar-expired-mail.ts'
import { buildCalendarTrouble } from '#server/messages/emails/calendar-trouble-mail.ts'
import {
  buildCalendarClosedCancellation,
  buildCancellation,
  buildOwnerCancellationNotice,
} from '#server/messages/emails/cancellation-mail.ts'
import { buildCustomerLoginCode, buildEmailConfirmationCode } from '#server/messages/emails/code-mail.ts'
import { buildContactMail } from '#server/messages/emails/contact-mail.ts'
import { buildUndeliveredMessages } from '#server/messages/emails/delivery-mail.ts'
import { buildDomainMail, type DomainMailReason } from '#server/messages/emails/domain-mail.ts'
import { buildRemainingEventsMail } from '#server/messages/emails/events-left-mail.ts'
import { buildOwnerEventRestored } from '#server/messages/emails/external-change-mail.ts'
import { buildLocationEnded } from '#server/messages/emails/location-ended-mail.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import { buildNewTimes } from '#server/messages/emails/new-times-mail.ts'
import { buildPageProblemMail } from '#server/messages/emails/page-problem-mail.ts'
import { buildOwnerPaymentNotice, buildPaymentRefunded } from '#server/messages/emails/payment-mail.ts'
import { buildPlanMail, type PlanMailFacts } from '#server/messages/emails/plan-mail.ts'
import { buildReminder } from '#server/messages/emails/reminder-mail.ts'
import { buildRunningLate } from '#server/messages/emails/running-late-mail.ts'
import { buildUnfinishedPayments } from '#server/messages/emails/unfinished-payments-mail.ts'
import {
  buildWaitingClosed,
  buildWaitingConfirmation,
  buildWaitingOffer,
} from '#server/messages/emails/waiting-mail.ts'
import type { AccountNotice } from '#server/platform/auth/auth.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { toReminderSettings } from '#server/records/calendars/to-reminder-settings.ts'
import {
  SAMPLE_APPOINTMENTS_BY_SCENE,
  type SampleSceneName,
  sampleOwnerUrl,
  toSampleMailContent,
} from './sample-scenes.ts'

export type MailSampleContext = { readonly origin: MailOrigin; readonly baseUrl: string }

/** The groups of the gallery. */
export const MAIL_SAMPLE_GROUPS = {
  customer: 'To the customer',
  waiting: 'Waiting list',
  owner: 'To the owner',
  account: 'About an account',
  operator: 'To the operator',
} as const

export type MailSample = {
  readonly title: string
  readonly group: keyof typeof MAIL_SAMPLE_GROUPS
  /** Meridian's function that builds this email. */
  readonly builder: unknown
  readonly build: (source: MailSampleContext, scene: SampleSceneName) => OutgoingMail | Promise<OutgoingMail>
}

type AppointmentBuilder = (
  facts: AppointmentMailContent,
  origin: MailOrigin,
  reminders: ReminderSettings,
) => Promise<OutgoingMail>

/** A sample email about the scene's appointment. Its revision number is `sequence`. */
function about(
  group: 'customer' | 'owner',
  title: string,
  builder: AppointmentBuilder,
  sequence = 0,
): MailSample {
  const build: MailSample['build'] = ({ origin, baseUrl }, scene) => {
    const facts = { ...toSampleMailContent(SAMPLE_APPOINTMENTS_BY_SCENE[scene], baseUrl), sequence }
    const context = { calendarName: facts.calendar.name, mailFrom: origin.from.address }
    return builder(facts, origin, toReminderSettings({}, context))
  }
  return { group, title, builder, build }
}

const REASONS = {
  mismatch: 'We received 1.00 EUR in acct_1, but expected 40.00 EUR in acct_1.',
  refund_failed: 'Insufficient funds.',
  unanswered: null,
} as const

/** The next two weekly dates of a series. */
function listLaterDates(facts: AppointmentMailContent): AppointmentMailContent[] {
  const later = (instant: string, weeks: number) =>
    new Date(Date.parse(instant) + weeks * 7 * DAY_MS).toISOString()
  return [1, 2].map((weeks) => ({
    ...facts,
    startsAt: later(facts.startsAt, weeks),
    endsAt: later(facts.endsAt, weeks),
  }))
}

/** A sample email about a payment for the scene's appointment. */
function aboutPayment(title: string, what: 'too_late' | 'paid_already' | keyof typeof REASONS): MailSample {
  const isForOwner = what !== 'too_late' && what !== 'paid_already'
  const build: MailSample['build'] = ({ origin, baseUrl }, scene) => {
    const facts = toSampleMailContent(SAMPLE_APPOINTMENTS_BY_SCENE[scene], baseUrl)
    const { priceCents, currency } = facts
    const payment = { paymentId: 'sample', amountCents: priceCents ?? 0, currency, isSandbox: true }
    if (isForOwner) {
      const notice = {
        about: what,
        reason: REASONS[what],
        nameAtProvider: 'pi_sample',
        transactionsUrl: sampleOwnerUrl(baseUrl).replace('appointments', 'transactions'),
      }
      return buildOwnerPaymentNotice(facts, { ...payment, ...notice }, origin)
    }
    const bookUrl = `${baseUrl}/book/${facts.calendar.slug}`
    const nearStarts = what === 'too_late' ? [facts.endsAt] : []
    const nearTimes = nearStarts.map((startsAt) => ({ startsAt, url: bookingUrlAt(bookUrl, startsAt, null) }))
    return buildPaymentRefunded(facts, { ...payment, reason: what, nearTimes, bookUrl }, origin)
  }
  const builder = isForOwner ? buildOwnerPaymentNotice : buildPaymentRefunded
  return { group: isForOwner ? 'owner' : 'customer', title, builder, build }
}

type OwnerBuilder<Input> = (
  input: Input & { owner: AppointmentMailContent['owner']; deliveryId: string },
  origin: MailOrigin,
) => OutgoingMail | Promise<OutgoingMail>

/** A sample email to the scene's owner. `inputAt` gets the calendar's name and the page of its appointments. */
function toOwner<Input>(
  title: string,
  builder: OwnerBuilder<Input>,
  inputAt: (at: { calendarName: string; ownerUrl: string; baseUrl: string }) => Input,
): MailSample {
  const build: MailSample['build'] = ({ origin, baseUrl }, scene) => {
    const { owner, calendar } = SAMPLE_APPOINTMENTS_BY_SCENE[scene]
    const at = { calendarName: calendar.name, ownerUrl: sampleOwnerUrl(baseUrl), baseUrl }
    return builder({ ...inputAt(at), owner, deliveryId: 'sample' }, origin)
  }
  return { group: 'account', title, builder, build }
}

/** A sample email to the scene's owner about the calendar's domain. */
function aboutDomain(title: string, occasion: DomainMailReason): MailSample {
  return toOwner(title, buildDomainMail, ({ calendarName, ownerUrl }) => ({
    calendarName,
    domain: 'termine.osei.example',
    occasion,
    settingsUrl: ownerUrl.replace('appointments', 'domains'),
  }))
}

/** A sample email to the scene's owner: the calendar event was moved, but the appointment could not be moved. */
function aboutPutBack(): MailSample {
  const build: MailSample['build'] = ({ origin, baseUrl }, scene) => {
    const facts = toSampleMailContent(SAMPLE_APPOINTMENTS_BY_SCENE[scene], baseUrl)
    const wanted = { startsAt: '2026-12-02T13:00:00Z', endsAt: '2026-12-02T13:45:00Z' }
    const reason = PROBLEMS['appointment.move_conflict'].title
    return buildOwnerEventRestored(
      facts,
      { wanted, reason, isWritten: true, sessionTitle: null, changeId: 'sample' },
      origin,
    )
  }
  return { group: 'owner', title: 'Event put back', builder: buildOwnerEventRestored, build }
}

/** A sample email to the scene's owner about messages that could not be sent. */
function aboutDelivery(title: string, what: 'problems' | 'waiting', reason: string): MailSample {
  const build: MailSample['build'] = ({ origin, baseUrl }, scene) => {
    const { bookingReference, customer, owner, calendar, startsAt, endsAt, timeZone, hourCycle } =
      SAMPLE_APPOINTMENTS_BY_SCENE[scene]
    const about = { bookingReference, customerName: customer.name, startsAt, endsAt, reason }
    return buildUndeliveredMessages(
      {
        deliveryId: 'sample',
        owner,
        calendar: { ...calendar, timeZone, hourCycle },
        problems: [],
        waiting: [],
        [what]: ['Booking confirmation', 'Reminder'].map((name) => ({ what: name, ...about })),
        ownerUrl: sampleOwnerUrl(baseUrl),
      },
      origin,
    )
  }
  return { group: 'owner', title, builder: buildUndeliveredMessages, build }
}

type AccountBuilder<Input> = (
  input: Input & { to: { name: string; address: string }; deliveryId: string },
  origin: MailOrigin,
) => Promise<OutgoingMail>

/** A sample email about the account of the scene's owner. */
function toAccount<Input>(
  title: string,
  builder: AccountBuilder<Input>,
  inputAt: (baseUrl: string) => Input,
): MailSample {
  const build: MailSample['build'] = ({ origin, baseUrl }, scene) => {
    const { name, email } = SAMPLE_APPOINTMENTS_BY_SCENE[scene].owner
    return builder({ ...inputAt(baseUrl), to: { name, address: email }, deliveryId: 'sample' }, origin)
  }
  return { group: 'account', title, builder, build }
}

const NOTICE_TITLES: Record<AccountNotice, string> = {
  password_changed: 'Password changed',
  two_factor_on: 'Two-factor authentication on',
  two_factor_off: 'Two-factor authentication off',
  backup_codes_replaced: 'Backup codes replaced',
}

const NOTICES = Object.entries(NOTICE_TITLES).map(([kind, title]): [string, MailSample] => [
  kind.replaceAll('_', '-'),
  toAccount(title, buildAccountNotice, (baseUrl) => ({
    notice: kind as AccountNotice, // a key of the same object
    securityUrl: `${baseUrl}/profile?tab=security`,
    resetUrl: `${baseUrl}/forgot-password`,
  })),
])

/** A sample email about the plan of the scene's owner. */
function aboutPlan(title: string, facts: PlanMailFacts): MailSample {
  return toOwner(title, buildPlanMail, ({ baseUrl }) => ({ facts, baseUrl }))
}

const SAMPLE_PAYMENT = {
  occasion: 'payment_failed',
  plan: 'Business',
  amountCents: 1_999,
  currency: 'eur',
} as const

const newEmail = 'maya@new.example'
/** The owner's account at a calendar provider. */
const ACCOUNT_NAME = 'maya@harbour.example'

/** The scene's data for emails about the waiting list. */
function toWaitingContent(scene: SampleSceneName, baseUrl: string) {
  const { customer, owner, calendar, typeName, timeZone, customerTimeZone, hourCycle } =
    SAMPLE_APPOINTMENTS_BY_SCENE[scene]
  return {
    id: 'sample',
    customer: { name: customer.name, email: customer.email ?? '' },
    owner,
    calendar,
    typeName,
    timeZone,
    customerTimeZone,
    hourCycle,
    requestUrl: `${baseUrl}/waiting/sample`,
  }
}

/** A sample email that offers the scene's time to a customer on the waiting list. */
function aboutOffer(title: string, isHeld: boolean): MailSample {
  const build: MailSample['build'] = ({ origin, baseUrl }, scene) => {
    const { startsAt, endsAt, createdAt } = toSampleMailContent(SAMPLE_APPOINTMENTS_BY_SCENE[scene], baseUrl)
    const offer = { startsAt, endsAt, expiresAt: createdAt, isHeld, offerUrl: `${baseUrl}/waiting/offer` }
    return buildWaitingOffer({ ...toWaitingContent(scene, baseUrl), ...offer }, origin)
  }
  return { group: 'waiting', title, builder: buildWaitingOffer, build }
}

const NEW_TIMES = ['2026-12-08T09:30:00Z', '2026-12-09T14:00:00Z']

/** Every email of Meridian, by its name in the gallery's URL. */
export const MAIL_SAMPLES: Readonly<Record<string, MailSample>> = {
  'booking-confirmation': about('customer', 'Booking confirmation', buildBookingConfirmation),
  'series-confirmation': {
    ...about('customer', 'Confirmation of a series', (facts, origin) =>
      buildBookingConfirmation({ ...facts, otherDates: listLaterDates(facts) }, origin),
    ),
    builder: buildBookingConfirmation,
  },
  'email-code': about('customer', 'Code to confirm the email address', buildEmailConfirmationCode),
  'customer-code': about('customer', 'Code for the customer’s page', buildCustomerLoginCode),
  'waiting-confirmation': {
    group: 'waiting',
    title: 'Confirm a place on the waiting list',
    builder: buildWaitingConfirmation,
    build: ({ origin, baseUrl }, scene) => buildWaitingConfirmation(toWaitingContent(scene, baseUrl), origin),
  },
  'waiting-offer': aboutOffer('A time is free, for one', true),
  'waiting-closed': {
    group: 'waiting',
    title: 'The waiting list has closed',
    builder: buildWaitingClosed,
    build: ({ origin, baseUrl }, scene) => buildWaitingClosed(toWaitingContent(scene, baseUrl), origin),
  },
  'waiting-offer-to-all': aboutOffer('A time is free, for all who wait', false),
  reminder: about('customer', 'Reminder', buildReminder),
  cancelled: about('customer', 'Appointment cancelled', buildCancellation, 1),
  'cancellation-denied': about('customer', 'Cancellation denied', buildCancellationDenied),
  'running-late': {
    ...about('customer', 'Running late', (facts, origin) =>
      buildRunningLate({ ...facts, lateMinutes: 10 }, origin),
    ),
    builder: buildRunningLate,
  },
  restored: about('customer', 'Appointment restored', buildRestoredConfirmation, 2),
  moved: about('customer', 'Appointment moved', buildMovedConfirmation, 1),
  'new-times': {
    ...about('customer', 'Choose another time', (facts, origin) =>
      buildNewTimes({ ...facts, ownerNote: 'I am ill this week.', offeredTimes: NEW_TIMES }, origin),
    ),
    builder: buildNewTimes,
  },
  'new-address': {
    ...about('customer', 'New email address', (facts, origin) =>
      buildEmailAddressChanged({ ...facts, cancelUrl: facts.manageUrl, otherAppointments: 2 }, origin),
    ),
    builder: buildEmailAddressChanged,
  },
  'calendar-closed': about('customer', 'Calendar closed', buildCalendarClosedCancellation),
  'payment-too-late': aboutPayment('Payment came too late', 'too_late'),
  'payment-twice': aboutPayment('Payment came twice', 'paid_already'),
  'owner-booking': about('owner', 'New booking', buildOwnerBookingNotice),
  'owner-confirmed': about('owner', 'Appointment confirmed', buildOwnerConfirmedNotice),
  'owner-cancellation-request': about('owner', 'Cancellation requested', buildOwnerCancellationRequest),
  'owner-cancelled': about('owner', 'Appointment cancelled', buildOwnerCancellationNotice, 1),
  'owner-restored': about('owner', 'Appointment restored', buildOwnerRestoredNotice, 2),
  'owner-moved': about('owner', 'Appointment moved', buildOwnerMovedNotice, 1),
  'owner-moved-by-customer': about('owner', 'Moved by the customer', buildMovedByCustomerNotice, 1),
  'owner-move-put-back': aboutPutBack(),
  'owner-payment-mismatch': aboutPayment('Payment is not what was agreed', 'mismatch'),
  'owner-refund-failed': aboutPayment('Payment could not be returned', 'refund_failed'),
  'delivery-problem': aboutDelivery(
    'Messages not delivered',
    'problems',
    'The mail server rejected this address (550)',
  ),
  'delivery-waits': aboutDelivery('Messages are on hold', 'waiting', WAIT_REASON_SENTENCES.email_owner),
  'owner-payment-unanswered': aboutPayment('Payment that nobody answers about', 'unanswered'),
  'money-left': {
    group: 'account',
    title: 'Money of a deleted calendar',
    builder: buildUnfinishedPayments,
    build: ({ origin }, scene) => {
      const { bookingReference, customer, owner, calendar, startsAt, endsAt, timeZone, hourCycle } =
        SAMPLE_APPOINTMENTS_BY_SCENE[scene]
      const payment = {
        nameAtProvider: 'sample',
        amountCents: 4_000,
        currency: 'eur',
        isSandbox: false,
        reason: null,
        appointment: {
          customerName: customer.name,
          customerEmail: customer.email,
          bookingReference,
          startsAt,
          endsAt,
        },
      }
      return buildUnfinishedPayments(
        {
          owner,
          calendar: { id: 'sample', name: calendar.name, color: calendar.color, timeZone, hourCycle },
          payments: [
            { ...payment, state: 'unanswered', provider: 'paypal' },
            { ...payment, state: 'owed', provider: 'stripe', reason: 'Insufficient funds.' },
          ],
        },
        origin,
      )
    },
  },
  'address-confirmation': toAccount('Confirm the address', buildAddressConfirmation, (baseUrl) => ({
    url: `${baseUrl}/auth/callback?token=sample`,
  })),
  invitation: toAccount('Invitation', buildInvitation, (baseUrl) => ({
    url: `${baseUrl}/register?invitation=sample`,
  })),
  'already-registered': toAccount('Already registered', buildAlreadyRegistered, (baseUrl) => ({
    loginUrl: `${baseUrl}/login`,
    resetUrl: `${baseUrl}/forgot-password`,
  })),
  'password-reset': toAccount('Password reset', buildPasswordReset, (baseUrl) => ({
    url: `${baseUrl}/reset-password?token=sample`,
  })),
  'address-change': toAccount('Confirm the new address', buildAddressChange, (baseUrl) => ({
    url: `${baseUrl}/auth/email-change?token=sample`,
  })),
  'address-change-notice': toAccount('Address about to change', buildAddressChangeNotice, (baseUrl) => ({
    newEmail,
    resetUrl: `${baseUrl}/forgot-password`,
  })),
  'address-change-taken': toAccount('Address is taken', buildAddressChangeTaken, (baseUrl) => ({
    loginUrl: `${baseUrl}/login`,
  })),
  'address-changed': toAccount('Address changed', buildAddressChanged, () => ({ newEmail })),
  'account-deleted': toAccount('Account deleted', buildAccountDeleted, () => ({})),
  ...Object.fromEntries(NOTICES),
  'calendar-expired': toOwner(
    'Calendar to reconnect',
    buildCalendarExpired,
    ({ calendarName, ownerUrl }) => ({
      provider: 'google' as const,
      accountName: ACCOUNT_NAME,
      calendarNames: [calendarName],
      reconnectUrl: ownerUrl.replace('appointments', 'integrations'),
    }),
  ),
  'calendar-trouble': toOwner(
    'Calendar that cannot be read',
    buildCalendarTrouble,
    ({ calendarName, ownerUrl }) => ({
      provider: 'caldav' as const,
      accountName: ACCOUNT_NAME,
      problem: 'The provider didn’t respond in time.',
      calendarNames: [calendarName],
      settingsUrl: ownerUrl.replace('appointments', 'integrations'),
    }),
  ),
  'page-problem': toOwner('Customers cannot book', buildPageProblemMail, ({ calendarName, ownerUrl }) => ({
    calendarName,
    problems: PAGE_PROBLEM_KINDS.map((kind) => ({
      kind,
      appointment_type_name: 'First consultation',
      missed_date:
        kind === 'standing_date_missed'
          ? { customer_name: 'Grace Hopper', date: '2027-05-03', reason: 'special_day' as const }
          : null,
    })),
    settingsUrl: ownerUrl.replace('?tab=appointments', ''),
  })),
  'domain-points-elsewhere': aboutDomain('Domain that points elsewhere', 'points_elsewhere'),
  'domain-failing': aboutDomain('Domain that is not used any more', 'failing'),
  'domain-released': aboutDomain('Domain that was given up', 'released'),
  'domain-taken': aboutDomain('Domain of somebody else now', 'taken'),
  'plan-welcome': aboutPlan('Welcome to a plan', {
    occasion: 'welcome',
    plan: 'Professional',
    amountCents: 999,
    currency: 'eur',
    nextChargeAt: '2027-01-04T08:00:00Z',
  }),
  'plan-payment-failed': aboutPlan('Payment for the plan failed', {
    ...SAMPLE_PAYMENT,
    day: 0,
    endsAt: null,
  }),
  'plan-payment-open': aboutPlan('Payment for the plan is open', {
    ...SAMPLE_PAYMENT,
    day: 7,
    endsAt: '2027-01-18T08:00:00Z',
  }),
  'plan-ended': aboutPlan('Plan has ended', {
    occasion: 'plan_ended',
    ended: 'Business',
    plan: 'Free',
    pausedCalendars: ['Evening practice', 'Online consultations'],
    inactive: ['paypal', 'custom_branding', 'custom_domains'],
  }),
  'plan-card-expiring': aboutPlan('Card expires soon', {
    occasion: 'card_expiring',
    plan: 'Business',
    brand: 'Visa',
    last4: '4242',
    expiryMonth: 1,
    expiryYear: 2027,
  }),
  'plan-paid-twice': aboutPlan('Plan was paid twice', {
    occasion: 'paid_twice',
    plan: 'Business',
    kept: 'Professional',
  }),
  'events-left': toOwner('Events left in a calendar', buildRemainingEventsMail, () => ({
    provider: 'google' as const,
    accountName: ACCOUNT_NAME,
  })),
  'location-ended': toOwner('Shared location ended', buildLocationEnded, ({ calendarName, ownerUrl }) => ({
    calendarName,
    location: { name: 'Harley Street', address: '12 Harley Street' },
    isDeleted: false,
    appointmentsUrl: ownerUrl,
  })),
  'backup-failed': {
    group: 'operator',
    title: 'A backup failed',
    builder: buildBackupFailed,
    build: ({ origin }) =>
      buildBackupFailed(
        {
          to: { name: 'Harbour Practice', address: 'desk@example.org' },
          reason: 'No backup was made: /srv/backups has room for 120 MB, and a backup needs 340 MB.',
          deliveryId: 'sample',
        },
        origin,
      ),
  },
  contact: {
    group: 'operator',
    title: 'Message from the contact page',
    builder: buildContactMail,
    build: ({ origin }, scene) => {
      const { customer, title, description } = SAMPLE_APPOINTMENTS_BY_SCENE[scene]
      const message = {
        name: customer.name,
        email: customer.email ?? 'somebody@example.org',
        subject: title,
        message: description ?? 'Do you have an opening in the evening?',
      }
      return buildContactMail(
        { to: { name: '', address: origin.from.address }, message, deliveryId: 'sample' },
        origin,
      )
    },
  },
}
