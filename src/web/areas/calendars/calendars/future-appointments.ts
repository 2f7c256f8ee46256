import type { CalendarOutlook } from '#contract/calendars/calendars.ts'

/** What happens to the future appointments when their calendar is deleted. `undefined`: not known. */
export function describeDeletion(outlook: CalendarOutlook | undefined): string {
  if (outlook === undefined) {
    return 'Its future appointments will be cancelled, and their customers are told by email.'
  }
  if (outlook.future_appointments === 0) return 'There are no upcoming appointments.'
  return [describeTold(outlook), ...describePaid(outlook)].join(' ')
}

/** The money of a deleted calendar stays where it is. Source: rule C9. */
function describePaid({ future_appointments: count, paid }: CalendarOutlook): string[] {
  if (paid === 0) return []
  const what = count === 1 ? 'It is paid for.' : `${paid} of them ${paid === 1 ? 'is' : 'are'} paid for.`
  return [`${what} Deleting gives no money back: to return it, cancel before you delete.`]
}

function describeTold({ future_appointments: count, without_email: unreachable }: CalendarOutlook): string {
  const what =
    count === 1
      ? '1 future appointment will be cancelled, and its customer is told by email.'
      : `${count} future appointments will be cancelled, and their customers are told by email.`
  if (unreachable === 0) return what
  if (unreachable === count) {
    return count === 1
      ? '1 future appointment will be cancelled. Its customer gave no email address: please tell them yourself.'
      : `${count} future appointments will be cancelled. Their customers gave no email addresses: please tell them yourself.`
  }
  return unreachable === 1
    ? `${what} 1 of them gave no email address: please tell them yourself.`
    : `${what} ${unreachable} of the appointments have no email address: please tell their customers yourself.`
}
