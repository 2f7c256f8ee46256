import { formatDateHeading } from '#web/shared/format-date.ts'
import { classNames } from '#web/ui/class-names.ts'
import { useHydrated } from '#web/ui/use-hydrated.ts'
import { DaySky } from './day-sky.tsx'

const MORNING = ['9:00 AM', '9:30 AM', '10:30 AM', '11:00 AM']
const AFTERNOON = ['12:30 PM', '2:00 PM', '3:30 PM', '4:00 PM']
const CHOSEN = '10:30 AM'

/**
 * A picture of a booking, not a form: hidden from assistive technology and without anything to press.
 * The meridian runs on from the sky through the card: before noon on its one side, after noon on the other.
 */
export function SampleBooking() {
  const hydrated = useHydrated()
  return (
    <div aria-hidden="true" dir="ltr" className="mx-auto w-full max-w-[28.75rem] select-none lg:me-0">
      <DaySky />
      <div className="relative rounded-card border border-line bg-surface shadow-card">
        <div className="relative z-1 rounded-t-card border-b border-line bg-surface px-5 py-4">
          <p className="font-display text-xl font-semibold">Nora Lindqvist</p>
          <p className="text-sm text-ink-soft">Therapist. First session, 50 min</p>
        </div>
        <p className="relative z-1 mx-auto mt-4 w-fit bg-surface px-3 font-semibold">
          {hydrated ? nextWorkday() : '\u00a0'}
        </p>
        <div className="grid grid-cols-2 gap-x-10 px-5 pt-2 pb-5">
          <Half title="Morning" times={MORNING} />
          <Half title="Afternoon" times={AFTERNOON} />
        </div>
        <span className="absolute inset-y-0 start-1/2 w-[1.5px] -translate-x-1/2 bg-ink rtl:translate-x-1/2" />
      </div>
    </div>
  )
}

function Half({ title, times }: { title: string; times: readonly string[] }) {
  return (
    <div>
      <p className="pb-2 text-sm text-ink-soft">{title}</p>
      <div className="grid gap-2">
        {times.map((time) => (
          <span
            key={time}
            className={classNames(
              'rounded-control border py-2 text-center tabular-nums',
              time === CHOSEN ? 'border-ink bg-ink font-semibold text-on-ink' : 'border-line-strong',
            )}
          >
            {time}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Heading of tomorrow, or of Monday before a weekend: a day on which such a practice would be open. */
function nextWorkday(): string {
  const day = new Date()
  do day.setDate(day.getDate() + 1)
  while (day.getDay() === 0 || day.getDay() === 6)
  const [month, date] = [day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0'))
  return formatDateHeading(`${day.getFullYear()}-${month}-${date}`)
}
