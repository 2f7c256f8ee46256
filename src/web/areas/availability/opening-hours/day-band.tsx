import type { Availability } from '#contract/availability/opening-hours.ts'
import { classNames } from '#web/ui/class-names.ts'
import { toHours } from './week.ts'

type Range = Pick<Availability, 'id' | 'start_time' | 'end_time'>

/**
 * One day from midnight to midnight: open hours show the sky of that hour, with a line at noon. A picture; the ranges
 * beside it say the same.
 */
export function DayBand({ ranges, className }: { ranges: readonly Range[]; className?: string | undefined }) {
  return (
    <div aria-hidden="true" className={classNames('relative flex items-center', className)}>
      <div className="relative h-5 w-full overflow-hidden rounded-full bg-sunken">
        {ranges.map((range) => (
          <OpenSky key={range.id} from={toHours(range.start_time)} to={toHours(range.end_time)} />
        ))}
      </div>
      <span className="absolute inset-y-0 start-1/2 w-[1.5px] -translate-x-1/2 bg-ink/35 rtl:translate-x-1/2" />
    </div>
  )
}

/** A cut-out of the same sky that spans the whole day, so that eight in the morning is one colour in every row. */
function OpenSky({ from, to }: { from: number; to: number }) {
  const hours = to - from
  return (
    <span
      className="absolute inset-y-0 overflow-hidden rounded-full"
      style={{ insetInlineStart: `${(from / 24) * 100}%`, width: `${(hours / 24) * 100}%` }}
    >
      <span
        className="absolute inset-y-0 rtl:-scale-x-100 bg-[linear-gradient(to_right,var(--dusk)_8%,var(--dawn)_30%,var(--day)_46%,var(--day)_62%,var(--dusk)_84%)]"
        style={{ insetInlineStart: `${(-from / hours) * 100}%`, width: `${(24 / hours) * 100}%` }}
      />
    </span>
  )
}
