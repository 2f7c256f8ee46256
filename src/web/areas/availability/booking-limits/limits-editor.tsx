import { useId } from 'react'
import { bookingLimitsSchema } from '#contract/slots/booking-limits.ts'
import { type BookingLimit, LIMIT_PERIODS, LIMIT_UNITS, MOST_MINUTES } from '#core/slots/booking-limits.ts'
import { describeLimits } from '#core/slots/describe-limit.ts'
import { sentenceOf } from '#web/kit/contract-resolver.ts'
import { DeleteButton } from '#web/kit/item-buttons.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { FieldNotes } from '#web/ui/field-frame.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { Select } from '#web/ui/select.tsx'

type LimitsEditorProps = {
  /** The accessible name of the group. */
  label: string
  hint: string
  value: readonly BookingLimit[]
  onChange: (value: BookingLimit[]) => void
}

/**
 * Lets the owner edit the limits of a calendar or of an appointment type. An empty number is NaN. Shows errors at once, because
 * they concern several limits. Source: rules T51 and T54.
 */
export function LimitsEditor({ label, hint, value, onChange }: LimitsEditorProps) {
  const id = useId()
  const issues = bookingLimitsSchema.safeParse(value).error?.issues ?? []
  const errorAt = (path: string) => {
    const message = issues.find((issue) => issue.path.join('.') === path)?.message
    return message === undefined ? undefined : sentenceOf(message)
  }
  const unused = ALL_LIMITS.find((limit) => !value.some((used) => isSameKind(used, limit)))
  const set = (index: number, change: Partial<BookingLimit>) =>
    onChange(value.map((limit, i) => (i === index ? { ...limit, ...change } : limit)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-label={label} aria-describedby={`${id}-hint`}>
      {value.map((limit, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: limits have no other identity while they are edited
          key={index}
          className="flex max-w-2xl flex-wrap items-start gap-x-3 gap-y-2"
        >
          <TextField
            label="At most"
            type="number"
            inputMode="numeric"
            min={1}
            max={MOST_MINUTES}
            className="w-28"
            value={Number.isNaN(limit.most) ? '' : limit.most}
            error={errorAt(`${index}.most`)}
            onChange={({ target }) => set(index, { most: target.valueAsNumber })}
          />
          <Select
            label="Count"
            className="min-w-36 flex-1"
            options={UNITS}
            value={limit.unit}
            onChange={(unit) => set(index, { unit })}
          />
          {/* On a narrow screen, these two share the second line. */}
          <div className="flex min-w-42 flex-1 gap-3">
            <Select
              label="Period"
              className="flex-1"
              options={PERIODS}
              value={limit.period}
              onChange={(period) => set(index, { period })}
            />
            <div className="pt-7.5">
              <DeleteButton
                label={`Remove limit: ${describeLimits([limit])}`}
                onPress={() => onChange(value.filter((_, i) => i !== index))}
              />
            </div>
          </div>
        </div>
      ))}
      <FieldNotes id={id} hint={hint} error={errorAt('')} />
      {unused !== undefined && (
        <Button size="sm" className="self-start" onClick={() => onChange([...value, unused])}>
          <Plus aria-hidden="true" className="size-4" />
          Add limit
        </Button>
      )}
    </fieldset>
  )
}

export const LIMITS_LABEL = 'Limits'

const UNITS = LIMIT_UNITS.map((unit) => ({ value: unit, label: unit }))
const PERIODS = LIMIT_PERIODS.map((period) => ({ value: period, label: `a ${period}` }))

/** All limits that a list can have, with a first number, in the order in which they are added. */
const ALL_LIMITS: readonly BookingLimit[] = [
  { most: 6, unit: 'appointments', period: 'day' },
  { most: 30, unit: 'appointments', period: 'week' },
  { most: 120, unit: 'appointments', period: 'month' },
  { most: 360, unit: 'minutes', period: 'day' },
  { most: 1_800, unit: 'minutes', period: 'week' },
  { most: 7_200, unit: 'minutes', period: 'month' },
]

function isSameKind(one: BookingLimit, other: BookingLimit): boolean {
  return one.unit === other.unit && one.period === other.period
}
