import { useRef } from 'react'
import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatLongDate } from '#web/shared/format-date.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { choosePageTimeZone, formatInPageTimeZone } from '#web/shared/page-clock.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { ChangeSectionProps } from './manage-part-props.ts'
import { useCancellation } from './use-cancellation.ts'

type Following = CustomerAppointment['following'][number]

/**
 * Lists the later dates of a series, and lets the customer cancel all of them together with this one, each by its own policy.
 * Source: rule B64.
 */
export function LaterDatesSection({ token, view, showOutcome }: ChangeSectionProps) {
  const part = useRef<HTMLElement>(null)
  const { isAsking, isSending, failure, show, send } = useCancellation({ token, showOutcome, part })
  const { following, appointment } = view
  const later = following.filter(({ starts_at }) => starts_at !== appointment.starts_at)
  const cancellable = following.filter(({ way }) => way !== 'none')
  if (later.length === 0) return null

  const cancel = () => {
    const dates = cancellable.flatMap(({ number, starts_at, way, refund }) =>
      way === 'none'
        ? []
        : [{ number, way, refund_amount: refund?.amount ?? null, expected_starts_at: starts_at }],
    )
    void send(
      () => callApi(at.cancelManagedDates, { params: { token }, body: { dates } }),
      'Failed to cancel the dates. Please try again.',
    )
  }

  const confirm = nameCancellation(cancellable)
  return (
    <section
      ref={part}
      aria-labelledby="later-dates"
      className="grid gap-4 rounded-card border border-line bg-surface p-5 shadow-card sm:p-6"
    >
      <h2 id="later-dates" data-focus="" tabIndex={-1} className="rounded-sm text-xl">
        {isAsking ? `${confirm}?` : 'Later dates'}
      </h2>
      {failure !== null && (
        <Notice tone="danger" role="alert">
          {failure}
        </Notice>
      )}
      <ul className="divide-y divide-line">
        {(isAsking ? following : later).map((date) => (
          <li key={date.number} className="flex flex-wrap justify-between gap-x-6 py-2">
            <span className="font-medium">
              {formatInPageTimeZone(choosePageTimeZone(appointment), date.starts_at, formatLongDate)}
            </span>
            <span className="text-ink-soft">
              {isAsking ? describeOutcome(date, view.cancellation.currency) : describeState(date)}
            </span>
          </li>
        ))}
      </ul>
      {isAsking ? (
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" pending={isSending} pendingLabel="Cancelling..." onClick={cancel}>
            {confirm}
          </Button>
          <Button onClick={() => show(false)}>Keep all dates</Button>
        </div>
      ) : (
        cancellable.length > 1 && (
          <div>
            <Button onClick={() => show(true)}>Cancel this and all following</Button>
          </div>
        )
      )}
    </section>
  )
}

function nameCancellation(cancellable: readonly Following[]): string {
  const asks = cancellable.every(({ way }) => way === 'by_request')
  return `${asks ? 'Request cancellation of' : 'Cancel'} ${cancellable.length} dates`
}

/** Says what happens to a date when the customer cancels all of them. */
function describeOutcome({ way, standing, refund }: Following, currency: string): string {
  if (standing === 'pending_cancellation') return 'Cancellation requested'
  if (way === 'none') return 'Stays: it can no longer be cancelled online'
  if (way === 'by_request') return 'The practice will review your request'
  return refund === null || refund.amount === 0
    ? 'Will be cancelled'
    : `Will be cancelled, ${formatMoney(refund.amount, currency)} refunded`
}

function describeState({ way, standing }: Following): string {
  if (standing === 'pending_cancellation') return 'Cancellation requested'
  if (standing === 'awaits_payment') return 'Awaiting payment'
  return way === 'none' ? 'Booked, can no longer be cancelled online' : 'Booked'
}
