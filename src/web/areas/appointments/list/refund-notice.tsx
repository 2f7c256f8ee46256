import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useSettleRefund } from './use-settle-refund.ts'

/** Shows how much of a payment has been refunded, and the refund that is still due. Source: rules Q9 and Q10. */
export function RefundNotice({ appointment }: { appointment: AppointmentRow }) {
  const { refund, currency, price } = appointment
  const { settle, running } = useSettleRefund(appointment)
  if (refund === null) return null
  const owed = (refund.due ?? 0) - refund.returned
  if (owed <= 0) {
    const isPart = refund.returned > 0 && refund.returned < (price ?? 0)
    if (!isPart) return null
    return (
      <p className="text-sm text-ink-soft">
        {formatMoney(refund.returned, currency)} of {formatMoney(price ?? 0, currency)} refunded
        {refund.percent === null ? '' : ` (${refund.percent}% under the policy)`}.
      </p>
    )
  }
  const amount = formatMoney(owed, currency)
  if (!refund.by_hand && refund.failure === null) {
    return <p className="text-sm text-ink-soft">A refund of {amount} is on its way.</p>
  }
  return (
    <Notice
      tone="warning"
      title={`A refund of ${amount} is due`}
      action={
        <span className="flex flex-wrap gap-2">
          {!refund.by_hand && (
            <Button size="sm" pending={running === 'retry'} onClick={() => settle('retry')}>
              Try again
            </Button>
          )}
          <Button size="sm" pending={running === 'by_hand'} onClick={() => settle('by_hand')}>
            I’ve refunded it
          </Button>
        </span>
      }
    >
      {refund.by_hand ? 'It was paid manually, so please refund it yourself.' : refund.failure}
    </Notice>
  )
}
