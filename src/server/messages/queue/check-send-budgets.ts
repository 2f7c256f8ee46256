import type { Db } from '#server/platform/db/database.ts'
import type { DropCheckDetails } from './find-drop-reason.ts'
import { findRecipientStatus } from './recipient-repository.ts'
import type { StoredMessage } from './repository.ts'
import { type BookingHistory, findBookingHistory, findSendingOwner } from './sender-repository.ts'
import {
  type MailBudgetsDeps,
  type SendPermit,
  spendMailBudgets,
  UNCOUNTED_PERMIT,
} from './spend-mail-budgets.ts'

/**
 * Checks the email limits before a message of the ledger is sent. Messages to owners about their own calendars are not
 * limited: 200 bookings cause 200 notices. Source: rule E3.
 */
export async function checkSendBudgets(
  deps: MailBudgetsDeps & { readonly db: Db },
  message: StoredMessage,
  details: DropCheckDetails,
): Promise<SendPermit> {
  const { calendar_id: calendarId, customer_email: address } = details
  if (message.recipient === 'owner' || address === null) return UNCOUNTED_PERMIT
  const now = new Date(deps.now())
  const recipientKey = deps.recipientKeys.keyOf(address)
  const standing = await findRecipientStatus(deps.db, recipientKey)
  // Wait until the recipient subscribes again, or until it is too late for the message.
  if (standing === 'stopped') return { wait: { reason: 'email_stopped', until: details.ends_at } }
  const sender = await findSendingOwner(deps.db, calendarId, now)
  if (sender === null) return UNCOUNTED_PERMIT
  const history = await findBookingHistory(deps.db, { calendarId, appointmentId: details.id }, now)
  return spendMailBudgets(deps, {
    sender,
    calendarId,
    recipientKey,
    causedBy: message.caused_by,
    isToOwner: recipientKey === deps.recipientKeys.keyOf(sender.email),
    isFirstWord: isFirstWord(message, details, history),
    isKnown: standing === 'answered' || history.isRegular,
  })
}

/**
 * True for the first message to the address about a booking made on the public page. A message that the owner resends
 * does not count as the first, because the owner vouches for the address. Source: rules E4 and M4.
 */
function isFirstWord(
  message: StoredMessage,
  details: DropCheckDetails,
  { isUntold }: BookingHistory,
): boolean {
  if (message.repeat > 0 || details.booked_by === 'owner') return false
  // Every booking requests the code, so the code always counts as the first message. A confirmation either follows an
  // entered code, or is itself the first message.
  if (message.kind === 'email_code') return true
  return message.kind === 'booking_confirmation' ? message.caused_by === 'customer' : isUntold
}
