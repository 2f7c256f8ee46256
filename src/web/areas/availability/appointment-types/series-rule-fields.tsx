import type { UseFormReturn } from 'react-hook-form'
import {
  type AppointmentTypeBody,
  customerSeriesRuleSchema,
} from '#contract/availability/appointment-types.ts'
import { SERIES_INTERVALS_WEEKS, SERIES_LIMITS, type SeriesInterval } from '#core/slots/plan-series.ts'
import { describeSeriesRule, labelInterval } from '#core/slots/series-rule.ts'
import { parseAmount } from '#web/shared/parse-amount.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/field.tsx'
import { FieldNotes, LABEL_CLASS } from '#web/ui/field-frame.tsx'
import type { AppointmentTypeForm } from './use-appointment-type-form.ts'

type SeriesRuleFieldsProps = { form: UseFormReturn<AppointmentTypeForm, unknown, AppointmentTypeBody> }

/** Lets the owner choose how often and on how many dates customers can repeat an appointment of a type. Source: rule B47. */
export function SeriesRuleFields({ form }: SeriesRuleFieldsProps) {
  const { setValue, watch, formState } = form
  const [rule = null, seats = null] = watch(['series_rule', 'seats'])
  const set = (every_weeks: SeriesInterval[], most_dates: number) =>
    setValue('series_rule', every_weeks.length === 0 ? null : { every_weeks, most_dates }, {
      shouldDirty: true,
      shouldValidate: true,
    })
  const { every_weeks: chosen, most_dates: mostDates } = rule ?? {
    every_weeks: [],
    most_dates: FIRST_MOST_DATES,
  }
  const { series_rule: error } = formState.errors
  return (
    <>
      <fieldset className="flex flex-col gap-3">
        <legend className={`${LABEL_CLASS} mb-1.5`}>Customers can repeat their appointment</legend>
        {SERIES_INTERVALS_WEEKS.map((weeks) => (
          <Checkbox
            key={weeks}
            label={labelInterval(weeks)}
            checked={chosen.includes(weeks)}
            onChange={(checked) =>
              set(
                SERIES_INTERVALS_WEEKS.filter((each) => (each === weeks ? checked : chosen.includes(each))),
                mostDates,
              )
            }
          />
        ))}
      </fieldset>
      {rule !== null && (
        <TextField
          label="Most dates at once"
          type="number"
          inputMode="numeric"
          min={SERIES_LIMITS.fewestDates}
          max={SERIES_LIMITS.mostDates}
          value={Number.isNaN(mostDates) ? '' : mostDates}
          onChange={({ target }) => set(chosen, target.valueAsNumber)}
          error={findIssue(mostDates)}
        />
      )}
      {error?.message && <FieldNotes id="series-rule" error={error.message} />}
      <p className="text-ink-soft">{describe({ rule, seats, ...readPayment(form) })}</p>
    </>
  )
}

/** Says what is wrong with the most dates, while they are typed. */
function findIssue(mostDates: number): string | undefined {
  return customerSeriesRuleSchema.shape.most_dates.safeParse(mostDates).error?.issues[0]?.message
}

/** The most dates of a new rule, until the owner changes them. */
const FIRST_MOST_DATES = 10

function readPayment({ watch }: SeriesRuleFieldsProps['form']) {
  return { hasPrice: (parseAmount(watch('price')) ?? 0) > 0, isRequired: watch('payment_required') === true }
}

type Described = {
  rule: AppointmentTypeBody['series_rule']
  seats: number | null
  hasPrice: boolean
  isRequired: boolean
}

/** Says in words what customers can do. */
function describe({ rule, seats, hasPrice, isRequired }: Described): string {
  if (rule === null) return 'Customers book one appointment at a time.'
  if (seats !== null) return 'Group sessions can’t repeat. Remove the seats first.'
  if (hasPrice && isRequired) return 'While payment is required, customers book one appointment at a time.'
  if (!customerSeriesRuleSchema.safeParse(rule).success) return ''
  const money = hasPrice ? ' They pay for each date later.' : ''
  return `${describeSeriesRule(rule)} They see which dates are free before they book.${money}`
}
