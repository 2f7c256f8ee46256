type CalendarMeterProps = {
  /** Undefined until it is known. */
  used: number | undefined
  /** Null is unlimited. */
  allowed: number | null
}

/** How many calendars of the plan are used: a segment for each, or a number where there is no limit. */
export function CalendarMeter({ used, allowed }: CalendarMeterProps) {
  const segments = Array.from({ length: allowed ?? 0 }, (_, index) => ({
    id: `calendar-${index}`,
    taken: used !== undefined && index < used,
  }))
  return (
    <div>
      <p>
        <span className="font-display text-2xl font-semibold">{used ?? '–'}</span> {toText(used, allowed)}
      </p>
      {segments.length > 0 && (
        <div aria-hidden="true" className="mt-2 flex max-w-sm gap-1.5">
          {segments.map(({ id, taken }) => (
            <span
              key={id}
              className={`h-2 flex-1 rounded-full border ${taken ? 'border-transparent bg-noon' : 'border-line-strong'}`}
            />
          ))}
        </div>
      )}
    </div>
  )
}

function toText(used: number | undefined, allowed: number | null): string {
  if (allowed === null) return 'calendars, as many as you like'
  if (used !== undefined && used > allowed) return `calendars, and ${allowed} of them in your plan`
  return `of ${allowed} ${allowed === 1 ? 'calendar' : 'calendars'} used`
}
