import { DAY_PARTS } from '#core/waiting-list/waiting-request.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/field.tsx'
import { formatDayOfWeek } from './format-date.ts'
import { DAY_PART_LABELS, type WaitingRequest, WEEKDAYS } from './waiting-request.ts'

type WaitingRequestFieldsProps = {
  request: WaitingRequest
  /** The earliest date that can be chosen, `yyyy-MM-dd`. */
  today: string
  onChange: (request: WaitingRequest) => void
}

const HINTS = { morning: 'before noon', afternoon: 'from noon', evening: 'from five' } as const

/** Lets the user enter the dates, weekdays and times of a waiting-list request, and the last day for offers. Source: rule Z1. */
export function WaitingRequestFields({ request, today, onChange }: WaitingRequestFieldsProps) {
  const { weekdays, day_parts: dayParts } = request
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="From"
          type="date"
          required
          min={today}
          value={request.from_date}
          onChange={({ target }) => onChange({ ...request, from_date: target.value })}
        />
        <TextField
          label="To"
          type="date"
          required
          min={request.from_date || today}
          value={request.to_date}
          onChange={({ target }) => onChange({ ...request, to_date: target.value })}
        />
      </div>
      <fieldset>
        <legend className="mb-2 text-sm font-semibold">Weekdays</legend>
        <div className="grid grid-cols-2 gap-x-4 gap-y-3 max-[17rem]:grid-cols-1 sm:grid-cols-3">
          {WEEKDAYS.map((day) => (
            <Checkbox
              key={day}
              label={formatDayOfWeek(day)}
              checked={weekdays.includes(day)}
              onChange={(isOn) => onChange({ ...request, weekdays: toggled(weekdays, day, isOn) })}
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend className="mb-2 text-sm font-semibold">Time of the day</legend>
        <div className="grid gap-x-4 gap-y-3 sm:grid-cols-3">
          {DAY_PARTS.map((part) => (
            <Checkbox
              key={part}
              label={`${DAY_PART_LABELS[part]}, ${HINTS[part]}`}
              checked={dayParts.includes(part)}
              onChange={(isOn) => onChange({ ...request, day_parts: toggled(dayParts, part, isOn) })}
            />
          ))}
        </div>
      </fieldset>
      <TextField
        label="Offers until"
        type="date"
        required
        hint="We’ll stop emailing you after this date."
        min={today}
        max={request.to_date}
        value={request.valid_until ?? request.to_date}
        onChange={({ target }) => onChange({ ...request, valid_until: target.value })}
      />
    </>
  )
}

function toggled<Value>(values: readonly Value[], value: Value, isOn: boolean): readonly Value[] {
  return isOn ? [...values, value] : values.filter((other) => other !== value)
}
