import type { AppointmentsViewName } from './appointments-choice.ts'

const VIEWS = [
  { view: 'list', label: 'List' },
  { view: 'day', label: 'Day' },
  { view: 'week', label: 'Week' },
] as const satisfies readonly { view: AppointmentsViewName; label: string }[]

type ViewSwitchProps = { value: AppointmentsViewName; onChange: (view: AppointmentsViewName) => void }

/** The same appointments as a list, a day or a week. What is chosen is written in ink. */
export function ViewSwitch({ value, onChange }: ViewSwitchProps) {
  return (
    <fieldset className="flex rounded-control border border-line-strong p-0.5">
      <legend className="sr-only">View</legend>
      {VIEWS.map(({ view, label }) => (
        <button
          key={view}
          type="button"
          aria-pressed={view === value}
          onClick={() => onChange(view)}
          className="min-h-11 min-w-16 rounded-lg px-3 font-semibold text-ink-soft hover:text-ink aria-pressed:bg-chosen aria-pressed:text-on-night"
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
