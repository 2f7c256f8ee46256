import { useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { type RefundAmount, toPolicyRefund } from '#core/appointments/decide-refund.ts'
import { LEGACY_POLICY } from '#core/appointments/policy.ts'
import { formatMoney } from '#web/shared/format-money.ts'
import { parseAmount, UNCLEAR_AMOUNT_MESSAGE } from '#web/shared/parse-amount.ts'
import { TextField } from '#web/ui/field.tsx'
import { RadioGroup, type RadioOption } from '#web/ui/radio-group.tsx'

type Way = 'policy' | 'all' | 'other'

/** The refund for a cancellation. `amount` is in currency units, not cents; if undefined, the policy decides. */
export type ChosenRefund = { readonly amount: number | undefined; readonly isValid: boolean }

type RefundChoiceProps = {
  appointment: AppointmentRow
  onChoose: (chosen: ChosenRefund) => void
}

/** Lets the owner choose the refund for a cancellation: by the policy, in full, or another amount. Source: rule Q8. */
export function RefundChoice({ appointment, onChoose }: RefundChoiceProps) {
  const [way, setWay] = useState<Way>('policy')
  const [typed, setTyped] = useState('')
  const { price, currency } = appointment
  const promised = promisedRefund(appointment, Date.now())
  const paid = price ?? 0
  const least = (promised?.cents ?? 0) / 100
  const choose = (next: Way, text: string) => {
    setWay(next)
    setTyped(text)
    onChoose(toChosen(next, text, { least, paid, isPromised: promised !== null }))
  }
  const { isValid } = toChosen(way, typed, { least, paid, isPromised: promised !== null })
  return (
    <div className="grid gap-4">
      <RadioGroup
        legend="Refund"
        options={toOptions(promised, { paid, currency })}
        value={way}
        onChange={(next) => choose(next, typed)}
      />
      {way === 'other' && (
        <TextField
          label={`Amount, from ${formatMoney(least, currency)} to ${formatMoney(paid, currency)}`}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => choose('other', target.value)}
          error={typed === '' || isValid ? undefined : whyNot(typed, { least, paid, currency })}
        />
      )}
    </div>
  )
}

function whyNot(typed: string, bounds: { least: number; paid: number; currency: string }): string {
  if (parseAmount(typed) === null) return UNCLEAR_AMOUNT_MESSAGE
  const { least, paid, currency } = bounds
  return `Please enter an amount from ${formatMoney(least, currency)} to ${formatMoney(paid, currency)}.`
}

function promisedRefund(row: AppointmentRow, nowMs: number): RefundAmount | null {
  const paidCents = row.price === null ? null : Math.round(row.price * 100)
  const askedAtMs = row.cancellation_asked_at === null ? nowMs : Date.parse(row.cancellation_asked_at)
  const startsAtMs = Date.parse(row.starts_at)
  const { refund_shares: refundShares } = row
  return toPolicyRefund(
    { policy: row.policy ?? LEGACY_POLICY, startsAtMs, refundShares, paidCents },
    askedAtMs,
  )
}

function toOptions(
  promised: RefundAmount | null,
  { paid, currency }: { paid: number; currency: string },
): RadioOption<Way>[] {
  const first =
    promised === null
      ? {
          label: 'No refund now',
          hint: 'This booking’s policy includes no refund. You can refund it later.',
        }
      : {
          label: `Policy refund: ${formatMoney(promised.cents / 100, currency)}`,
          hint: `${promised.percent ?? 0}% of the payment.`,
        }
  return [
    { value: 'policy', ...first },
    { value: 'all', label: `Full refund: ${formatMoney(paid, currency)}` },
    { value: 'other', label: 'Another amount' },
  ]
}

function toChosen(
  way: Way,
  typed: string,
  { least, paid, isPromised }: { least: number; paid: number; isPromised: boolean },
): ChosenRefund {
  if (way === 'all') return { amount: paid, isValid: true }
  if (way === 'policy') return { amount: isPromised ? least : undefined, isValid: true }
  const amount = parseAmount(typed) ?? Number.NaN
  return { amount, isValid: amount >= least && amount <= paid }
}
