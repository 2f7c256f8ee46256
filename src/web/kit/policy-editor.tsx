import type { z } from 'zod'
import { policySchema } from '#contract/appointments/policies.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { POLICY_LIMITS } from '#core/appointments/policy.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { X } from '#web/ui/icons/x.ts'
import { Select } from '#web/ui/select.tsx'

/** A policy while the owner edits it. An empty number field is NaN. */
export type PolicyDraft = z.input<typeof policySchema>

type PolicyEditorProps = {
  value: PolicyDraft
  onChange: (value: PolicyDraft) => void
  /** True when the policy applies to a service that has or may have a price. */
  hasPrice: boolean
}

/**
 * Lets the owner edit a policy, and shows the text that customers will read. Shows errors at once, because an invalid policy has
 * no such text. Source: rule Q7.
 */
export function PolicyEditor({ value, onChange, hasPrice }: PolicyEditorProps) {
  const { moving, cancelling } = value
  const checked = policySchema.safeParse(value)
  const errorAt = (...path: (string | number)[]) =>
    checked.error?.issues.find((issue) => issue.path.join('.') === path.join('.'))?.message
  return (
    // The layout depends on the editor's own width (`@container`), because it appears both in a card and in a narrow dialog.
    <div className="@container flex flex-col gap-6">
      <div className="grid items-start gap-5 @md:grid-cols-2 @2xl:grid-cols-3">
        <Select
          label="Moving"
          className={moving.kind === 'until' ? '@md:col-span-2 @2xl:col-span-3' : '@md:col-span-2'}
          options={MOVING}
          value={moving.kind}
          onChange={(kind) => onChange({ ...value, moving: kind === 'never' ? { kind } : FIRST_MOVING })}
        />
        {moving.kind === 'until' && (
          <>
            <NumberField
              label="Move until (hours before)"
              max={POLICY_LIMITS.hours}
              value={moving.hours}
              onChange={(hours) => onChange({ ...value, moving: { ...moving, hours } })}
              error={errorAt('moving', 'hours')}
            />
            <Select
              label="How often"
              options={TIMES}
              value={moving.times === null ? 'any' : `${moving.times}`}
              onChange={(times) =>
                onChange({ ...value, moving: { ...moving, times: times === 'any' ? null : Number(times) } })
              }
            />
          </>
        )}
      </div>
      <div className="grid items-start gap-5 @md:grid-cols-2 @2xl:grid-cols-3">
        <Select
          label="Cancelling"
          options={CANCELLING}
          value={cancelling.kind === 'by_request' ? 'by_request' : `alone_${cancelling.after}`}
          onChange={(way) => onChange({ ...value, cancelling: toCancelling(way, cancelling) })}
          className="@md:col-span-2"
        />
        {cancelling.kind === 'alone' && (
          <NumberField
            label="Cancel until (hours before)"
            max={POLICY_LIMITS.hours}
            value={cancelling.hours}
            onChange={(hours) => onChange({ ...value, cancelling: { ...cancelling, hours } })}
            error={errorAt('cancelling', 'hours')}
          />
        )}
      </div>
      <RefundTable value={value} onChange={onChange} errorAt={errorAt} />
      <div className="rounded-control border-s-4 border-line bg-sunken px-4 py-3">
        <p className="text-sm font-semibold text-ink-soft">What customers read before they book</p>
        <p role="status" className="mt-1">
          {checked.success
            ? describePolicy(checked.data, { hasPrice })
            : 'Fill in everything above to see the sentence here.'}
        </p>
      </div>
    </div>
  )
}

type RefundTableProps = {
  value: PolicyDraft
  onChange: (value: PolicyDraft) => void
  errorAt: (...path: (string | number)[]) => string | undefined
}

/** Lets the owner edit the refund percentages by deadline, earliest first. Source: rule Q5. */
function RefundTable({ value, onChange, errorAt }: RefundTableProps) {
  const rows = value.refunds
  const setRows = (refunds: PolicyDraft['refunds']) => onChange({ ...value, refunds })
  const setRow = (at: number, change: Partial<PolicyDraft['refunds'][number]>) =>
    setRows(rows.map((row, i) => (i === at ? { ...row, ...change } : row)))
  const error = errorAt('refunds')
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-1 font-semibold">Refunds for cancellations</legend>
      {rows.length === 0 && <p className="text-ink-soft">No refund is promised. You decide each time.</p>}
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
        <div key={at} className="flex items-start gap-3">
          <NumberField
            label="Until (hours before)"
            max={POLICY_LIMITS.hours}
            value={row.hours}
            onChange={(hours) => setRow(at, { hours })}
            error={errorAt('refunds', at, 'hours')}
          />
          <NumberField
            label="Refund (%)"
            max={100}
            value={row.percent}
            onChange={(percent) => setRow(at, { percent })}
            error={errorAt('refunds', at, 'percent')}
          />
          <Button
            variant="ghost"
            className="mt-7"
            aria-label={`Remove row ${at + 1}`}
            onClick={() => setRows(rows.filter((_, i) => i !== at))}
          >
            <X aria-hidden="true" className="size-5" />
          </Button>
        </div>
      ))}
      {error !== undefined && (
        <p role="alert" className="text-sm font-medium text-danger-ink">
          {error}
        </p>
      )}
      {rows.length < POLICY_LIMITS.refundRows && (
        <Button size="sm" className="self-start" onClick={() => setRows([...rows, toNextRow(rows)])}>
          Add row
        </Button>
      )}
    </fieldset>
  )
}

type NumberFieldProps = {
  label: string
  max: number
  value: number
  onChange: (value: number) => void
  error: string | undefined
}

function NumberField({ label, max, value, onChange, error }: NumberFieldProps) {
  return (
    <TextField
      label={label}
      type="number"
      inputMode="numeric"
      min={0}
      max={max}
      step={1}
      required
      value={Number.isNaN(value) ? '' : value}
      onChange={({ target }) => onChange(target.valueAsNumber)}
      error={error}
      className="min-w-0 flex-1"
    />
  )
}

const MOVING = [
  { value: 'until', label: 'Customers can move' },
  { value: 'never', label: 'Customers can’t move' },
] as const

const FIRST_MOVING = { kind: 'until', hours: 24, times: null } as const

const TIMES = [
  { value: 'any', label: 'Any number' },
  ...Array.from({ length: POLICY_LIMITS.moves }, (_, i) => ({
    value: `${i + 1}`,
    label: i === 0 ? 'Once' : `${i + 1} times`,
  })),
]

type CancellingWay = 'by_request' | 'alone_by_request' | 'alone_never'

/** Short labels that fit on phones. The text below the form explains them. */
const CANCELLING: readonly { value: CancellingWay; label: string }[] = [
  { value: 'by_request', label: 'Only on request' },
  { value: 'alone_by_request', label: 'Themselves, later on request' },
  { value: 'alone_never', label: 'Themselves, later not at all' },
]

/** Changes how customers can cancel and keeps the number of hours. */
function toCancelling(way: CancellingWay, before: PolicyDraft['cancelling']): PolicyDraft['cancelling'] {
  if (way === 'by_request') return { kind: 'by_request' }
  const hours = before.kind === 'alone' ? before.hours : 24
  return { kind: 'alone', hours, after: way === 'alone_never' ? 'never' : 'by_request' }
}

/** Returns the row to add: half of the last row's hours and percentage. */
function toNextRow(rows: PolicyDraft['refunds']): PolicyDraft['refunds'][number] {
  const last = rows.at(-1)
  if (last === undefined) return { hours: 24, percent: 100 }
  return { hours: Math.floor(last.hours / 2), percent: Math.floor(last.percent / 2) }
}
