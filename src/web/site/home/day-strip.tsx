import { classNames } from '#web/ui/class-names.ts'

/** A stretch of the day in hours on a 24-hour clock. */
export type Stretch = { from: number; to: number; kind: 'free' | 'busy' | 'dawn' | 'day' | 'dusk' | 'next' }

const OPENS = 8
const CLOSES = 16

/** A working day as a strip from eight to four, the meridian in its middle. A picture: the text beside it says the same. */
export function DayStrip({ stretches }: { stretches: readonly Stretch[] }) {
  return (
    <div className="relative h-9 rounded-lg bg-sunken">
      {stretches.map(({ from, to, kind }) => (
        <span
          key={from}
          className={classNames('absolute inset-y-1 rounded-md', KINDS[kind])}
          style={{ insetInlineStart: share(from), width: share(OPENS + to - from) }}
        />
      ))}
      <span className="absolute -inset-y-1.5 start-1/2 w-[1.5px] -translate-x-1/2 bg-ink rtl:translate-x-1/2" />
    </div>
  )
}

function share(hour: number): string {
  return `${((hour - OPENS) / (CLOSES - OPENS)) * 100}%`
}

const KINDS: Record<Stretch['kind'], string> = {
  free: 'border-[1.5px] border-dashed border-line-strong',
  busy: 'bg-ink/25',
  next: 'bg-noon',
  dawn: 'bg-dawn',
  day: 'bg-day',
  dusk: 'bg-dusk',
}
