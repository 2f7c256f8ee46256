import { KEPT_DAYS } from '#contract/retention.ts'
import { FactList } from './fact-list.tsx'

/** How long each kind of record stays. */
export function KeptList() {
  return (
    <FactList
      facts={[
        {
          term: 'Appointments and customers',
          text: 'Until the owner deletes the calendar or the account. Customers of future appointments are told then.',
        },
        {
          term: 'Accounts',
          text: 'Until their owner deletes them. Booking links stay taken, so that they never lead to somebody else.',
        },
        {
          term: 'Payments',
          text: 'Amount, date and the provider’s number stay after that, because accounting has to. Name and address do not.',
        },
        { term: 'Logins', text: `${days(KEPT_DAYS.session)} after a device was last used.` },
        {
          term: 'Times held and not paid',
          text: `Given back after minutes; what was typed is erased after ${days(KEPT_DAYS.endedHold)}.`,
        },
        {
          term: 'News from payment providers',
          text: `The number of the event, without any person: ${days(KEPT_DAYS.paymentEvent)}.`,
        },
        {
          term: 'Bookings sent twice',
          text: `They are recognised for ${days(KEPT_DAYS.idempotencyKey)}.`,
        },
        { term: 'Counted attempts', text: `Network addresses: ${days(KEPT_DAYS.attempts)} at most.` },
        {
          term: 'Mails on their way',
          text: 'Until they are sent, and up to a week after that, so that a failure can be looked into. Those with a link to confirm an address or to choose a password, and messages from the contact page: an hour after that.',
        },
      ]}
    />
  )
}

function days(count: number): string {
  return count === 1 ? 'a day' : `${count} days`
}
