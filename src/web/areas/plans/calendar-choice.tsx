import type { PlanEffectResponse } from '#contract/plans/subscription.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { toggleOpen } from './open-calendars.ts'

type CalendarChoiceProps = {
  effect: PlanEffectResponse
  /** How many can stay open. */
  limit: number
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Which calendars stay open, of more than the plan allows. Source: rule S13. */
export function CalendarChoice({ effect, limit, chosen, onChange }: CalendarChoiceProps) {
  if (limit === 1) {
    return (
      <RadioGroup
        legend={LEGEND}
        options={effect.calendars.map((calendar) => ({
          value: calendar.id,
          label: calendar.name,
          hint: toCome(calendar.upcoming_appointments),
        }))}
        value={chosen[0] ?? null}
        onChange={(id) => onChange([id])}
      />
    )
  }
  const isFull = chosen.length >= limit
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold">{LEGEND}</legend>
      {effect.calendars.map(({ id, name, upcoming_appointments }) => (
        <Checkbox
          key={id}
          label={name}
          hint={toCome(upcoming_appointments)}
          checked={chosen.includes(id)}
          disabled={isFull && !chosen.includes(id)}
          onChange={() => onChange(toggleOpen(chosen, id))}
        />
      ))}
      <p role="status" className="text-sm text-ink-soft">
        {chosen.length} of {limit} chosen. {isFull && 'To choose another one, take one out first.'}
      </p>
    </fieldset>
  )
}

const LEGEND = 'Which calendars stay open?'

/** `3 appointments to come` */
export function toCome(count: number): string {
  if (count === 0) return 'No appointments to come'
  return count === 1 ? '1 appointment to come' : `${count} appointments to come`
}
