import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { SANDBOX_NOTE } from '#core/payments/provider-names.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'

export type Word = readonly [label: string, tone: BadgeTone]

/** Source: rule A1. */
export const STATUS_WORDS: Record<AppointmentRow['status'], Word> = {
  confirmed: ['Confirmed', 'success'],
  cancelled: ['Cancelled', 'danger'],
  pending_cancellation: ['Cancellation Pending', 'warning'],
  pending_payment: ['Awaiting Payment', 'warning'],
}

/** It is held and not booked yet, whatever it costs. */
const AWAITS_CODE: Word = ['Awaiting Email Code', 'warning']

/** Somebody on the waiting list has yet to answer. */
const OFFERED: Word = ['Offered to Waiting List', 'warning']

/** Source: rule A1. */
const PAYMENT_WORDS: Record<AppointmentRow['payment_status'], Word> = {
  not_required: ['No Payment Required', 'neutral'],
  pending: ['Payment Pending', 'warning'],
  paid: ['Paid', 'success'],
  failed: ['Payment Failed', 'danger'],
  refunded: ['Refunded', 'info'],
}

type AppointmentBadgesProps = {
  appointment: Pick<
    AppointmentRow,
    'status' | 'payment_status' | 'refund' | 'awaits_email_code' | 'is_offer' | 'paid_in_sandbox' | 'no_show'
  >
  /** Hides a payment that says no more than the status, where space is short. */
  brief?: boolean | undefined
}

/** The states of an appointment and its payment. */
export function AppointmentBadges({ appointment, brief = false }: AppointmentBadgesProps) {
  const [status, statusTone] = statusOf(appointment)
  const [payment, paymentTone] = paymentOf(appointment)
  const isPaymentShown = !brief || addsToStatus(appointment)
  return (
    <div className="flex flex-wrap gap-1.5">
      <Badge tone={statusTone}>{status}</Badge>
      {appointment.no_show && <Badge tone="warning">No-Show</Badge>}
      {isPaymentShown && <Badge tone={paymentTone}>{payment}</Badge>}
      {appointment.paid_in_sandbox && <Badge tone="warning">{SANDBOX_NOTE}</Badge>}
    </div>
  )
}

/** A payment that is partly refunded, or has a refund due, is not simply paid. Source: rule F9. */
function paymentOf({ payment_status, refund }: AppointmentBadgesProps['appointment']): Word {
  if (payment_status !== 'paid' || refund === null) return PAYMENT_WORDS[payment_status]
  if (refund.returned > 0) return ['Partly Refunded', 'info']
  return (refund.due ?? 0) > 0 ? ['Refund Due', 'warning'] : PAYMENT_WORDS.paid
}

function statusOf({ status, awaits_email_code, is_offer }: AppointmentBadgesProps['appointment']): Word {
  if (is_offer) return OFFERED
  return awaits_email_code ? AWAITS_CODE : STATUS_WORDS[status]
}

/** An appointment that waits for its payment shows itself that it is pending. */
function addsToStatus({ status, payment_status }: AppointmentBadgesProps['appointment']): boolean {
  if (payment_status === 'not_required') return false
  return !(status === 'pending_payment' && payment_status === 'pending')
}
