import type { BulkChangeKind } from '#contract/appointments/whole-days-limits.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { formatMonthDay, formatTime, formatWeekday, localDateOf } from '#web/shared/format-date.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import {
  type AffectedAppointment,
  type BulkChangePreviewOfCalendars,
  isAffectedByChange,
} from './use-change-preview.ts'

type ChangePreviewPartProps = {
  effect: BulkChangePreviewOfCalendars
  kind: BulkChangeKind
  refund: 'all' | 'policy'
  onRefund: (refund: 'all' | 'policy') => void
}

/**
 * Shows the affected appointments and the customers without an email address. Lets the owner choose the refunds. Source:
 * rule A21.
 */
export function BulkChangePreviewSection({ effect, kind, refund, onRefund }: ChangePreviewPartProps) {
  const { appointments, error, onRetry } = effect
  if (appointments === undefined && error !== null) {
    return <ErrorState title="Failed to load the appointments" hint={error.message} onRetry={onRetry} />
  }
  if (appointments === undefined) {
    return (
      <p role="status" className="flex items-center gap-2 text-ink-soft">
        <Spinner /> Loading the appointments...
      </p>
    )
  }
  if (appointments.length === 0) {
    return (
      <div role="status" className="rounded-control bg-sunken p-4 text-center text-ink-soft">
        <p>No upcoming appointments on these days</p>
        <p className="text-sm">You can close days without appointments under Availability.</p>
      </div>
    )
  }
  const changed = appointments.filter((appointment) => isAffectedByChange(kind, appointment))
  const leftAlone = appointments.filter((appointment) => !isAffectedByChange(kind, appointment))
  const silent = changed.filter(({ email }) => email === null)
  const emails = changed.flatMap(({ email }) => (email === null ? [] : [email.toLowerCase()]))
  const paid = appointments.filter((one) => one.paid !== null)
  return (
    <section aria-label="What this means" className="flex flex-col gap-4">
      <p role="status" className="font-semibold">
        {countText(appointments.length)}. {emailText(new Set(emails).size, emails.length)}
      </p>
      <ul
        aria-label="Appointments"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll the list with the arrow keys
        tabIndex={0}
        className="max-h-56 divide-y divide-line overflow-y-auto border-y border-line"
      >
        {appointments.map((one) => (
          <li key={one.id} className="flex flex-wrap gap-x-4 py-2">
            <span className="w-full tabular-nums sm:w-52 sm:whitespace-nowrap">{whenOf(one)}</span>
            <span dir="auto" className="min-w-0 flex-1 font-medium wrap-anywhere">
              {one.customer_name}
              {one.calendarName !== null && (
                <bdi className="block text-sm font-normal text-ink-soft">{one.calendarName}</bdi>
              )}
            </span>
            {one.paid !== null && <span>{formatMoney(one.paid, one.currency)} paid</span>}
          </li>
        ))}
      </ul>
      {silent.length > 0 && (
        <Notice tone="warning" title="These customers have no email address. Please tell them yourself.">
          {[
            ...new Set(
              silent.map(({ customer_name, phone }) =>
                [wrapInBidiIsolates(customer_name), phone].filter(Boolean).join(', '),
              ),
            ),
          ].join(' · ')}
        </Notice>
      )}
      {leftAlone.length > 0 && (
        <Notice tone="warning" title="These appointments won’t change">
          <ul>
            {leftAlone.map(({ id, customer_name, no_offer_reason }) => (
              <li key={id}>
                <bdi>{customer_name}</bdi>: {no_offer_reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {kind === 'cancel' && paid.length > 0 && (
        <RadioGroup
          legend="Refunds"
          value={refund}
          onChange={onRefund}
          options={[
            { value: 'all', label: `Full refunds: ${sumOf(paid, ({ paid: amount }) => amount)}` },
            {
              value: 'policy',
              label: `Refunds by policy: ${sumOf(paid, (one) => one.refund_by_policy)}`,
            },
          ]}
        />
      )}
    </section>
  )
}

function countText(count: number): string {
  return count === 1 ? '1 appointment' : `${count} appointments`
}

/** Counts customers and emails. Customers with several appointments get an email about each. */
function emailText(customers: number, emails: number): string {
  const who = customers === 1 ? '1 customer gets' : `${customers} customers get`
  return `${who} ${customers === emails ? 'an email' : `${emails} emails`}.`
}

/** Formats an appointment's start: `Tue, Jan 5, 9:30 AM`. */
function whenOf({ starts_at, time_zone, hour_cycle }: AffectedAppointment): string {
  const date = localDateOf(starts_at, time_zone)
  return `${formatWeekday(date)}, ${formatMonthDay(date)}, ${formatTime(starts_at, time_zone, hour_cycle)}`
}

/** Adds up the amounts per currency: `€40.00 + $20.00`. */
function sumOf(
  paid: readonly AffectedAppointment[],
  amountOf: (one: AffectedAppointment) => number | null,
): string {
  const sums = new Map<string, number>()
  for (const one of paid) sums.set(one.currency, (sums.get(one.currency) ?? 0) + (amountOf(one) ?? 0))
  return [...sums].map(([currency, amount]) => formatMoney(amount, currency)).join(' + ')
}
