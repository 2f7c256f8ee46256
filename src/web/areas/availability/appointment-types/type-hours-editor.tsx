import { useId } from 'react'
import { type AvailabilityBody, typeHoursSchema } from '#contract/availability/opening-hours.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { RangeEndField } from '#web/areas/availability/opening-hours/end-field.tsx'
import {
  DEFAULT_OPENING_RANGE,
  formatRange,
  WEEKDAYS_FROM_MONDAY,
} from '#web/areas/availability/opening-hours/week.ts'
import { sentenceOf } from '#web/kit/contract-resolver.ts'
import { DeleteButton } from '#web/kit/item-buttons.tsx'
import { formatDayOfWeek } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { Select } from '#web/ui/select.tsx'
import { describeTypeHours } from './describe-type-hours.ts'

type TypeHoursEditorProps = {
  value: readonly AvailabilityBody[]
  onChange: (value: AvailabilityBody[]) => void
  hourCycle: HourCycle
}

/**
 * Lets the owner give a type weekly hours of its own. Shows errors at once, because they can concern several ranges. Source: rule
 * T60.
 */
export function TypeHoursEditor({ value, onChange, hourCycle }: TypeHoursEditorProps) {
  const id = useId()
  const issues = typeHoursSchema.safeParse(value).error?.issues ?? []
  const errorAt = (index: number, field: 'start_time' | 'end_time') => {
    const message = issues.find(({ path }) => path[0] === index && path[1] === field)?.message
    return message === undefined ? undefined : sentenceOf(message)
  }
  const set = (index: number, change: Partial<AvailabilityBody>) =>
    onChange(value.map((range, i) => (i === index ? { ...range, ...change } : range)))
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {value.map((range, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: ranges have no other identity while they are edited
          key={index}
          className="grid items-start gap-3 rounded-control bg-sunken p-4 sm:grid-cols-2"
        >
          <legend className="sr-only">Time range {index + 1}</legend>
          <div className="flex gap-3 sm:col-span-2">
            <Select
              label="Day"
              className="flex-1"
              options={DAYS}
              value={String(range.day_of_week)}
              onChange={(day) => set(index, { day_of_week: Number(day) })}
            />
            <div className="pt-7.5">
              <DeleteButton
                label={`Remove ${formatDayOfWeek(range.day_of_week)}, ${formatRange(range, hourCycle)}`}
                onPress={() => onChange(value.filter((_, i) => i !== index))}
              />
            </div>
          </div>
          <TextField
            label="Start time"
            type="time"
            step={300}
            value={range.start_time}
            error={errorAt(index, 'start_time')}
            onChange={({ target }) => set(index, { start_time: target.value })}
          />
          <RangeEndField
            id={`${id}-${index}-end`}
            value={range.end_time}
            error={errorAt(index, 'end_time')}
            onChange={(end_time) => set(index, { end_time })}
          />
        </fieldset>
      ))}
      <p className="text-ink-soft">{describeTypeHours(value, hourCycle)}</p>
      {value.length < 7 * LIMITS.rangesPerWeekday && (
        <Button size="sm" className="self-start" onClick={() => onChange([...value, suggestRange(value)])}>
          <Plus aria-hidden="true" className="size-4" />
          Add hours
        </Button>
      )}
    </div>
  )
}

const DAYS = WEEKDAYS_FROM_MONDAY.map((day) => ({ value: String(day), label: formatDayOfWeek(day) }))

/** Suggests the last range for the next weekday that has none. */
function suggestRange(hours: readonly AvailabilityBody[]): AvailabilityBody {
  const last = hours.at(-1)
  const next = WEEKDAYS_FROM_MONDAY.find((day) => !hours.some(({ day_of_week }) => day_of_week === day))
  return { ...DEFAULT_OPENING_RANGE, ...last, day_of_week: next ?? WEEKDAYS_FROM_MONDAY[0] }
}
