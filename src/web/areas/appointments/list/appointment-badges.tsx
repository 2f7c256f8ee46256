import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { SANDBOX_LABEL } from '#core/payments/provider-names.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'

export type BadgeLabelAndTone = readonly [label: string, tone: BadgeTone]

/** The badges for each status of an appointment. Source: rule A1. */
export const STATUS_BADGES: Record<AppointmentRow['status'], BadgeLabelAndTone> = {
  confirmed: ['Confirmed', 'success'],
  cancelled: ['Cancelled', 'danger'],
  pending_cancellation: ['Cancellation pending', 'warning'],
  pending_payment: ['Awaiting payment', 'warning'],
}

/** The badge for a time that is held until the customer enters the email code. */
const AWAITS_CODE: BadgeLabelAndTone = ['Awaiting email code', 'warning']

/** The badge for a time that is offered to a customer on the waiting list. */
const OFFERED: BadgeLabelAndTone = ['Offered to waiting list', 'warning']

/** The badges for each payment status. Source: rule A1. */
const PAYMENT_WORDS: Record<AppointmentRow['payment_status'], BadgeLabelAndTone> = {
  not_required: ['No payment required', 'neutral'],
  pending: ['Unpaid', 'neutral'],
  paid: ['Paid', 'success'],
  failed: ['Payment failed', 'danger'],
  refunded: ['Refunded', 'info'],
}

/** The warning about an appointment whose location is no longer shared with its calendar. Source: rule L11. */
export const LOCATION_NOT_SHARED_WARNING =
  'The location is no longer reserved, because its owner stopped sharing it with this calendar.'

type AppointmentBadgesProps = {
  appointment: Pick<
    AppointmentRow,
    | 'status'
    | 'payment_status'
    | 'refund'
    | 'awaits_email_code'
    | 'is_offer'
    | 'is_test'
    | 'paid_in_sandbox'
    | 'no_show'
  >
  /** True for fewer words, in a list: without a payment badge that adds nothing to the status badge. */
  brief?: boolean | undefined
}

/** Shows badges for the status of an appointment and of its payment. */
export function AppointmentBadges({ appointment, brief = false }: AppointmentBadgesProps) {
  const [status, statusTone] = statusOf(appointment)
  const [payment, paymentTone] = paymentOf(appointment)
  const isPaymentShown = !brief || findPaymentBadge(appointment) !== null
  return (
    <div className="flex flex-wrap gap-1.5">
      {appointment.is_test && <Badge tone="info">Test</Badge>}
      <Badge tone={statusTone}>{status}</Badge>
      {appointment.no_show && <Badge tone="warning">No-show</Badge>}
      {isPaymentShown && <Badge tone={paymentTone}>{payment}</Badge>}
      {appointment.paid_in_sandbox && <Badge tone="warning">{brief ? 'Sandbox' : SANDBOX_LABEL}</Badge>}
    </div>
  )
}

/**
 * Shows the badges of a compact row, with the price. A confirmed status and a payment that is not required are shown only where
 * the row is wide, because they are the rule and not the exception.
 */
export function RowBadges({ appointment, className }: { appointment: AppointmentRow; className: string }) {
  const { no_show, delay, undelivered_messages, paid_in_sandbox, is_test } = appointment
  const [status, statusTone] = statusOf(appointment)
  const payment = findPaymentBadge(appointment)
  return (
    <div className={classNames('flex flex-wrap items-center gap-x-1.5 gap-y-0.5', className)}>
      {is_test && <RowBadge tone="info">Test</RowBadge>}
      <RowBadge tone={statusTone} isRule={status === STATUS_BADGES.confirmed[0]}>
        {status}
      </RowBadge>
      {no_show && <RowBadge tone="warning">No-show</RowBadge>}
      {undelivered_messages > 0 && <RowBadge tone="danger">Not delivered</RowBadge>}
      {delay.minutes !== null && <RowBadge tone="warning">{`${delay.minutes} min late`}</RowBadge>}
      {payment !== null && <RowBadge tone={payment[1]}>{payment[0]}</RowBadge>}
      {paid_in_sandbox && (
        <RowBadge tone="warning" isRule>
          Sandbox
        </RowBadge>
      )}
      <RowPrice appointment={appointment} className="@max-[40rem]:hidden" />
    </div>
  )
}

type RowPriceProps = {
  appointment: Pick<AppointmentRow, 'price' | 'currency'>
  /** A separator before the price. */
  lead?: string
  className: string
}

/** The price of a compact row: beside the badges, or after the service where the row is narrow. */
export function RowPrice({ appointment: { price, currency }, lead = '', className }: RowPriceProps) {
  if (price === null || price <= 0) return null
  return (
    <span className={classNames('shrink-0 text-sm text-ink-soft tabular-nums', className)}>
      {lead}
      {formatMoney(price, currency)}
    </span>
  )
}

type RowBadgeProps = { tone: BadgeTone; isRule?: boolean; children: string }

/** A small badge. With `isRule`, it is hidden where the row is narrow. */
function RowBadge({ tone, isRule = false, children }: RowBadgeProps) {
  return (
    <Badge tone={tone} className={classNames('px-2! text-xs!', isRule && '@max-3xl:hidden')}>
      {children}
    </Badge>
  )
}

type PaymentState = Pick<AppointmentRow, 'status' | 'payment_status'> & {
  readonly refund?: AppointmentRow['refund'] | undefined
}

/** Returns the payment badge. A payment that is partly refunded, or has a refund due, is not shown as paid. Source: rule F9. */
function paymentOf({ payment_status, refund }: Omit<PaymentState, 'status'>): BadgeLabelAndTone {
  if (payment_status !== 'paid' || !refund) return PAYMENT_WORDS[payment_status]
  if (refund.returned > 0) return ['Partly refunded', 'info']
  return (refund.due ?? 0) > 0 ? ['Refund due', 'warning'] : PAYMENT_WORDS.paid
}

function statusOf({
  status,
  awaits_email_code,
  is_offer,
}: AppointmentBadgesProps['appointment']): BadgeLabelAndTone {
  if (is_offer) return OFFERED
  return awaits_email_code ? AWAITS_CODE : STATUS_BADGES[status]
}

/**
 * Returns the payment badge; null if it is unnecessary, because no payment is required or the status already says that it is
 * pending.
 */
export function findPaymentBadge(appointment: PaymentState): BadgeLabelAndTone | null {
  const { status, payment_status } = appointment
  if (payment_status === 'not_required') return null
  return status === 'pending_payment' && payment_status === 'pending' ? null : paymentOf(appointment)
}
