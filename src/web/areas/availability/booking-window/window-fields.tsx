import { bookingWindowSchema } from '#contract/slots/booking-window.ts'
import { addDays } from '#core/shared/calendar-date.ts'
import type { BookingWindow } from '#core/slots/booking-window.ts'
import { describeWindow } from '#core/slots/describe-window.ts'
import { SLOT_RULE_LIMITS } from '#core/slots/slot-rules.ts'
import { sentenceOf } from '#web/kit/contract-resolver.ts'
import { TextField } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'

type WindowFieldsProps = {
  /** Null for no window of one's own, which only an appointment type has. */
  value: BookingWindow | null
  onChange: (value: BookingWindow | null) => void
  /** The present date of the calendar. */
  today: string
  /** True when the window of the calendar can be chosen. */
  isOfType?: boolean
}

/**
 * Lets the owner choose how far ahead customers can book, and says it in a sentence. An empty number is NaN, an empty date an
 * empty text. Shows errors at once. Source: rules T67 and T69.
 */
export function WindowFields({ value, onChange, today, isOfType = false }: WindowFieldsProps) {
  const issues = bookingWindowSchema.safeParse(value).error?.issues ?? []
  const errorAt = (path: string) => {
    const message =
      value === null ? undefined : issues.find((issue) => issue.path.join('.') === path)?.message
    return message === undefined ? undefined : sentenceOf(message)
  }
  const dateField = (label: string, name: 'from' | 'until', date: string) => (
    <TextField
      label={label}
      type="date"
      className="min-w-36 flex-1"
      value={date}
      error={errorAt(name)}
      onChange={({ target }) =>
        value !== null && onChange({ ...value, [name]: target.value } as BookingWindow)
      }
    />
  )
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Select
        label={WINDOW_LABEL}
        hint={value === null ? 'The booking window of the calendar applies.' : hintOf(value, today)}
        options={isOfType ? [INHERITED, ...KINDS] : KINDS}
        value={value?.kind ?? INHERITED.value}
        onChange={(kind) => onChange(kind === INHERITED.value ? null : startWindow(kind, today))}
      />
      {(value?.kind === 'days' || value?.kind === 'open_days') && (
        <TextField
          label="Days after today"
          type="number"
          inputMode="numeric"
          min={0}
          max={SLOT_RULE_LIMITS.windowDays}
          value={Number.isNaN(value.days) ? '' : value.days}
          error={errorAt('days')}
          onChange={({ target }) => onChange({ ...value, days: target.valueAsNumber })}
        />
      )}
      {value?.kind === 'until' && dateField('Last day', 'until', value.until)}
      {value?.kind === 'between' && (
        <div className="flex flex-wrap gap-3">
          {dateField('First day', 'from', value.from)}
          {dateField('Last day', 'until', value.until)}
        </div>
      )}
    </div>
  )
}

export const WINDOW_LABEL = 'Booking window'

const KINDS = [
  { value: 'none', label: 'Up to two years ahead' },
  { value: 'days', label: 'A number of days' },
  { value: 'open_days', label: 'A number of open days' },
  { value: 'until', label: 'Until a date' },
  { value: 'between', label: 'Between two dates' },
] as const

const INHERITED = { value: 'calendar', label: 'As for the calendar' } as const

/** The days of a new window, until the owner changes them. */
const FIRST_DAYS = 30

function startWindow(kind: BookingWindow['kind'], today: string): BookingWindow {
  const until = addDays(today, FIRST_DAYS)
  return {
    none: { kind: 'none' } as const,
    days: { kind: 'days', days: FIRST_DAYS } as const,
    open_days: { kind: 'open_days', days: FIRST_DAYS } as const,
    until: { kind: 'until', until } as const,
    between: { kind: 'between', from: today, until } as const,
  }[kind]
}

/** Nothing while a field is incomplete: its error says so. */
function hintOf(window: BookingWindow, today: string): string | undefined {
  return bookingWindowSchema.safeParse(window).success ? describeWindow(window, today) : undefined
}
