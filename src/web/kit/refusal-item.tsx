import { START_REASON_SENTENCES } from '#contract/appointments/owner-booking-problems.ts'
import type { Refusal } from '#contract/calendars/refusals.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { formatMoment } from './format-moment.ts'
import { useHourCycle } from './hour-cycle.ts'

/** A start that customers were refused: the start itself, when they asked for it, and every reason. Source: rule T76. */
export function RefusalItem({ refusal, timeZone }: { refusal: Refusal; timeZone: string }) {
  const hourCycle = useHourCycle()
  const { at, times, starts_at, appointment_type_name: typeName, reasons } = refusal
  const asked = formatMoment(at, timeZone, hourCycle)
  return (
    <li className="py-3">
      <p className="font-semibold wrap-anywhere">
        {formatMoment(starts_at, timeZone, hourCycle)}
        {typeName !== null && ` · ${wrapInBidiIsolates(typeName)}`}
      </p>
      {reasons.map((reason) => (
        <p key={reason}>{START_REASON_SENTENCES[reason]}</p>
      ))}
      <p className="mt-0.5 text-sm text-ink-soft">
        {times === 1 ? `A customer was refused on ${asked}` : `Refused ${times} times, last on ${asked}`}
      </p>
    </li>
  )
}
