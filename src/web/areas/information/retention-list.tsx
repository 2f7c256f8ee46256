import { RETENTION_DAYS, RETENTION_HOURS } from '#contract/shared/retention.ts'
import { DescriptionList } from './information-layout.tsx'

/** Lists the retention period of each kind of record. Source: rule D6. */
export function RetentionList() {
  return (
    <DescriptionList
      facts={[
        {
          term: 'Appointments and customers',
          text: 'Until the owner deletes the calendar or the account. We email customers of future appointments then. A customer’s personal details are deleted as soon as they erase them.',
        },
        {
          term: 'Accounts',
          text: 'Until their owner deletes them. Booking links stay reserved, so that they never lead to somebody else.',
        },
        {
          term: 'Payments',
          text: 'The amount, date and provider’s numbers of the payment and its account are kept after that for accounting. Names and addresses are not.',
        },
        {
          term: 'Registrations that nobody confirmed',
          text: `We delete them after ${formatDays(RETENTION_DAYS.registration)}.`,
        },
        {
          term: 'Invitations to create an account',
          text: `Your address: until you use the invitation, and ${formatDays(RETENTION_DAYS.invitation)} at most.`,
        },
        { term: 'Logins', text: `${formatDays(RETENTION_DAYS.session)} after a device was last used.` },
        {
          term: 'Times held but not paid for',
          text: `Released after minutes. We erase what was typed after ${formatDays(RETENTION_DAYS.endedHold)}. Codes that are made from your network and email address, so that nobody holds every time: ${formatHours(RETENTION_HOURS.holder)} after the time was released.`,
        },
        {
          term: 'Waiting lists',
          text: `Your name, address and what you wait for: until your request ends, and ${formatDays(RETENTION_DAYS.waitingRequest)} after that. A request that nobody confirmed: ${formatDays(RETENTION_DAYS.unconfirmedRequest)}. Nobody else on the list can see you.`,
        },
        {
          term: 'Notifications from payment providers',
          text: `The number of the event, without personal data: ${formatDays(RETENTION_DAYS.paymentEvent)}.`,
        },
        {
          term: 'Notifications about plans',
          text: `The number of the event and of the owner who pays: ${formatDays(RETENTION_DAYS.billingEvent)}.`,
        },
        {
          term: 'Calendars at other providers',
          text: `The times of an event: ${formatDays(RETENTION_DAYS.externalEvent)} after its end, or until the account is disconnected. Then we revoke our access, and delete it ${formatHours(RETENTION_HOURS.calendarAccess)} after that.`,
        },
        {
          term: 'Refused bookings',
          text: `The time and why it couldn’t be booked, without anything about the customer: ${formatDays(RETENTION_DAYS.refusal)}.`,
        },
        {
          term: 'Changes of settings',
          text: `Who changed which setting of a calendar: ${formatDays(RETENTION_DAYS.settingChange)}.`,
        },
        {
          term: 'Bookings sent twice',
          text: `We recognize them for ${formatDays(RETENTION_DAYS.idempotencyKey)}.`,
        },
        {
          term: 'Counted attempts',
          text: `Network addresses: ${formatDays(RETENTION_DAYS.attempts)} at most. Codes made from the email addresses of bookings: just as long.`,
        },
        {
          term: 'Emails being sent',
          text: `Until they are sent or given up, and ${formatDays(RETENTION_DAYS.endedJob)} after that, so that we can investigate failures. Emails about an account, such as a link to choose a password: ${formatHours(RETENTION_HOURS.accountMail)} after that.`,
        },
        {
          term: 'Emails to one address',
          text: `How many there were, under a number made from the address: a week at most. That you used a link in one, or unsubscribed: ${formatDays(RETENTION_DAYS.emailRecipient)}.`,
        },
        {
          term: 'Messages from the contact page',
          text: `Until they are sent or given up, and ${formatHours(RETENTION_HOURS.contactMessage)} after that.`,
        },
        {
          term: 'When it’s deleted',
          text: 'Every hour, we delete whatever has reached the end of its time. Backups keep it for as long as the operator keeps them.',
        },
      ]}
    />
  )
}

/** Formats a number of days: `a day` or `7 days`. */
export function formatDays(count: number): string {
  return count === 1 ? 'a day' : `${count} days`
}

/** Formats a number of hours: `an hour` or `2 hours`. */
export function formatHours(count: number): string {
  return count === 1 ? 'an hour' : `${count} hours`
}
