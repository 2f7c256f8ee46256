import { DAY_PARTS } from '#core/waiting-list/waiting-request.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/field.tsx'
import { formatDayOfWeek } from './format-date.ts'
import { PART_WORDS, WEEKDAYS, type Wish } from './wish.ts'

type WishFieldsProps = {
  wish: Wish
  /** `yyyy-MM-dd`: nobody waits for a day that is over. */
  today: string
  onChange: (wish: Wish) => void
}

const HINTS = { morning: 'before noon', afternoon: 'from noon', evening: 'from five' } as const

/** The dates, weekdays and parts of the day that would suit, and until when offers are wanted. Source: rule Z1. */
export function WishFields({ wish, today, onChange }: WishFieldsProps) {
  const { weekdays, dayParts } = wish
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="From"
          type="date"
          required
          min={today}
          value={wish.fromDate}
          onChange={({ target }) => onChange({ ...wish, fromDate: target.value })}
        />
        <TextField
          label="To"
          type="date"
          required
          min={wish.fromDate || today}
          value={wish.toDate}
          onChange={({ target }) => onChange({ ...wish, toDate: target.value })}
        />
      </div>
      <fieldset>
        <legend className="mb-2 text-sm font-semibold">Weekdays</legend>
        <div className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
          {WEEKDAYS.map((day) => (
            <Checkbox
              key={day}
              label={formatDayOfWeek(day)}
              checked={weekdays.includes(day)}
              onChange={(isOn) => onChange({ ...wish, weekdays: toggled(weekdays, day, isOn) })}
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
              label={`${PART_WORDS[part]}, ${HINTS[part]}`}
              checked={dayParts.includes(part)}
              onChange={(isOn) => onChange({ ...wish, dayParts: toggled(dayParts, part, isOn) })}
            />
          ))}
        </div>
      </fieldset>
      <TextField
        label="Offers until"
        type="date"
        required
        hint="After this day nothing is offered any more."
        min={today}
        max={wish.toDate}
        value={wish.validUntil ?? wish.toDate}
        onChange={({ target }) => onChange({ ...wish, validUntil: target.value })}
      />
    </>
  )
}

function toggled<Value>(values: readonly Value[], value: Value, isOn: boolean): readonly Value[] {
  return isOn ? [...values, value] : values.filter((one) => one !== value)
}
