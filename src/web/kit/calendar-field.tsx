import type { Calendar } from '#contract/calendars/calendars.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { Select } from '#web/ui/select.tsx'
import { CalendarDot } from './calendar-dot.tsx'

/** The value of the option for all calendars. A calendar's id is never this word. */
const ALL = 'all'

/** A longer list of calendars can be searched. */
const MAX_UNSEARCHED = 10

type CalendarFieldProps = {
  calendars: readonly Pick<Calendar, 'id' | 'name' | 'color'>[]
  /** The id of the chosen calendar; null for all. */
  value: string | null
  /** True to offer all calendars together. */
  hasAll?: boolean | undefined
  onChange: (calendarId: string | null) => void
  required?: boolean | undefined
  className?: string | undefined
}

/** A choice of one of the owner's calendars, each with its colour. */
export function CalendarField({ calendars, value, hasAll = false, onChange, ...field }: CalendarFieldProps) {
  const options = [
    ...(hasAll ? [{ value: ALL, label: 'All calendars' }] : []),
    ...calendars.map(({ id, name, color }) => ({
      value: id,
      label: name,
      mark: <CalendarDot color={color} />,
    })),
  ]
  const choice = {
    ...field,
    label: 'Calendar',
    options,
    value: value ?? ALL,
    onChange: (next: string) => onChange(next === ALL ? null : next),
  }
  return calendars.length > MAX_UNSEARCHED ? <Combobox {...choice} /> : <Select {...choice} />
}
