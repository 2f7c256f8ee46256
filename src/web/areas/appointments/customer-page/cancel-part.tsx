import { useRef } from 'react'
import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { choosePageTimeZone, formatInPageTimeZone } from '#web/shared/page-clock.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { ChangeSectionProps } from './manage-part-props.ts'
import { useCancellation } from './use-cancellation.ts'

/**
 * Lets the customer cancel the appointment. Shows the conditions beforehand and the refund afterwards. Source: rules Q4
 * and Q9.
 */
export function CancelAppointmentSection({ token, view, showOutcome }: ChangeSectionProps) {
  const part = useRef<HTMLDivElement>(null)
  const { isAsking, isSending, failure, show, send } = useCancellation({ token, showOutcome, part })
  const { cancellation, standing } = view
  const { way, refund } = cancellation
  if (standing === 'cancelled') return <RefundNote view={view} />
  if (standing !== 'upcoming') return null
  if (way === 'none') {
    return <p className="w-full text-ink-soft">This appointment can no longer be cancelled online.</p>
  }
  const words = WORDS[way]

  const cancel = () => {
    const { starts_at } = view.appointment
    const body = { way, refund_amount: refund?.amount ?? null, expected_starts_at: starts_at }
    void send(() => callApi(at.cancelManagedAppointment, { params: { token }, body }), words.failed)
  }

  const notice = failure !== null && (
    <Notice tone="danger" role="alert">
      {failure}
    </Notice>
  )
  if (!isAsking) {
    return (
      <>
        <div className="order-first basis-full empty:hidden">{notice}</div>
        <div ref={part}>
          <Button data-focus="" onClick={() => show(true)}>
            {words.open}
          </Button>
        </div>
      </>
    )
  }
  return (
    <div ref={part} className="grid w-full gap-4 rounded-control bg-sunken p-4 sm:p-5">
      <div>
        <h2 data-focus="" tabIndex={-1} className="rounded-sm text-xl">
          {words.question}
        </h2>
        <p className="mt-1 max-w-[65ch] text-ink-soft">
          {[describeDeadline(view), words.text, describeRefund(view)].filter(Boolean).join(' ')}
        </p>
      </div>
      {notice}
      <div className="flex flex-wrap gap-3">
        <Button variant="danger" pending={isSending} pendingLabel={words.pending} onClick={cancel}>
          {words.confirm}
        </Button>
        <Button onClick={() => show(false)}>Keep appointment</Button>
      </div>
    </div>
  )
}

const WORDS = {
  alone: {
    open: 'Cancel this appointment',
    question: 'Cancel this appointment?',
    text: 'Somebody else will be able to book this time.',
    confirm: 'Cancel appointment',
    pending: 'Cancelling...',
    failed: 'Failed to cancel the appointment. Please try again.',
  },
  by_request: {
    open: 'Request cancellation',
    question: 'Request cancellation of this appointment?',
    text: 'The practice will review your request. Until then, your appointment is still on.',
    confirm: 'Request cancellation',
    pending: 'Requesting...',
    failed: 'Failed to submit cancellation request. Please try again.',
  },
} as const

/** Returns the deadline in the page's time zone: `You can cancel it until Monday, February 1, 10:00 AM.` */
function describeDeadline({ appointment, cancellation }: CustomerAppointment): string {
  if (cancellation.until === null || cancellation.until === appointment.starts_at) return ''
  return `You can cancel it until ${formatInPageTimeZone(choosePageTimeZone(appointment), cancellation.until, formatDateHeading)}.`
}

/** Returns a sentence about the refund; empty if nothing has been paid. */
function describeRefund({ appointment, cancellation }: CustomerAppointment): string {
  const { refund, currency, way } = cancellation
  if (appointment.payment_status !== 'paid') return ''
  if (refund === null) return 'The practice decides about refunds.'
  if (refund.amount === 0) return 'You won’t get a refund.'
  const amount = `${formatMoney(refund.amount, currency)} (${refund.percent}% of your payment)`
  return way === 'alone' ? `You’ll be refunded ${amount}.` : `If it agrees, you’ll be refunded ${amount}.`
}

/** Shows the refund for a cancelled appointment. */
function RefundNote({ view: { appointment, cancellation } }: { view: CustomerAppointment }) {
  const { given_back, currency } = cancellation
  if (given_back === null || !['paid', 'refunded'].includes(appointment.payment_status)) return null
  return (
    <p className="w-full">
      {given_back === 0
        ? 'This booking’s policy includes no refund.'
        : `We’re refunding ${formatMoney(given_back, currency)}. It may take a few days to reach your account.`}
    </p>
  )
}
