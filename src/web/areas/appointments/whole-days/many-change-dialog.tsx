import { useId, useState } from 'react'
import { BULK_CHANGE_LIMITS, type BulkChangeKind } from '#contract/appointments/whole-days-limits.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { isDate, toDayNumber } from '#core/shared/calendar-date.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { todayIn } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { BulkChangePreviewSection } from './change-preview-part.tsx'
import { BulkChangeProgress } from './progress-part.tsx'
import { type BegunChange, useBulkChange } from './use-bulk-change.ts'
import { isAffectedByChange, useBulkChangePreview } from './use-change-preview.ts'

type ManyChangeDialogProps = {
  /** All of the owner's calendars, starting with the one on screen. */
  calendars: readonly Calendar[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/**
 * Lets the owner cancel the appointments of whole days or offer other times, for example when they are ill on Tuesday.
 * Shows a preview of the change, starts it, and shows its progress. Source: rule A21.
 */
export function BulkChangeDialog({ calendars, open, onOpenChange }: ManyChangeDialogProps) {
  const [begun, setBegun] = useState<BegunChange | null>(null)
  const close = () => {
    onOpenChange(false)
    setBegun(null)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title="Change whole days"
      description="When you’re away: cancel all appointments, or offer other times."
    >
      {begun === null ? (
        <ManyChangeForm calendars={calendars} onBegun={setBegun} onClose={close} />
      ) : (
        <BulkChangeProgress {...begun} onClose={close} />
      )}
    </Dialog>
  )
}

type ManyChangeFormProps = {
  calendars: readonly Calendar[]
  onBegun: (begun: BegunChange) => void
  onClose: () => void
}

function ManyChangeForm({ calendars, onBegun, onClose }: ManyChangeFormProps) {
  const today = todayIn(calendars[0]?.timezone ?? 'UTC')
  // The ids of the calendars that the owner has deselected. All calendars are selected by default.
  const [leftOut, setLeftOut] = useState<readonly string[]>([])
  const chosen = calendars.filter(({ id }) => !leftOut.includes(id))
  const [from, setFrom] = useState(today)
  const [to, setTo] = useState(today)
  const [kind, setKind] = useState<BulkChangeKind>('cancel')
  const [refund, setRefund] = useState<'all' | 'policy'>('all')
  const [message, setMessage] = useState('')
  // Close the days by default, because an owner who is away usually wants no new bookings either.
  const [closesDays, setClosesDays] = useState(true)
  const [isWantedForWaitingList, setIsWantedForWaitingList] = useState(false)
  // Closed days cannot be offered to the waiting list, because they have no free times.
  const forWaitingList = isWantedForWaitingList && !closesDays
  // The id of the change, which makes the request idempotent.
  const [id] = useState(() => crypto.randomUUID())
  const whyId = useId()
  const rangeProblem = findRangeProblem(from, to)
  const isRange = rangeProblem === null
  const effect = useBulkChangePreview(chosen, { from, to }, isRange)
  const count =
    effect.appointments?.filter((appointment) => isAffectedByChange(kind, appointment)).length ?? 0
  const { mutate, isPending, error } = useBulkChange(onBegun)
  const consequences = listConsequences(kind, closesDays)
  const canChange = count > 0 && !effect.isFetching && isRange
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (canChange)
          mutate({
            id,
            kind,
            from,
            to,
            message,
            refund,
            close_days: closesDays,
            for_waiting_list: forWaitingList,
            seen: effect.seen,
          })
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="First day"
          required
          type="date"
          min={today}
          value={from}
          onChange={({ target }) => {
            setFrom(target.value)
            if (to < target.value) setTo(target.value)
          }}
        />
        <TextField
          label="Last day"
          required
          type="date"
          min={from}
          value={to}
          error={rangeProblem ?? undefined}
          onChange={({ target }) => setTo(target.value)}
        />
      </div>
      {calendars.length > 1 && (
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 font-semibold">Calendars</legend>
          {calendars.map(({ id: calendarId, name }) => (
            <Checkbox
              key={calendarId}
              label={<span dir="auto">{name}</span>}
              checked={!leftOut.includes(calendarId)}
              onChange={(isChosen) =>
                setLeftOut((now) =>
                  isChosen ? now.filter((other) => other !== calendarId) : [...now, calendarId],
                )
              }
            />
          ))}
        </fieldset>
      )}
      <RadioGroup
        legend="What happens to the appointments"
        value={kind}
        onChange={setKind}
        options={[
          { value: 'cancel', label: 'Cancel them' },
          { value: 'offer', label: 'Offer other times' },
        ]}
      />
      <TextArea
        label="Your message to the customers"
        hint="We’ll include it in each email."
        maxLength={BULK_CHANGE_LIMITS.message}
        value={message}
        onChange={({ target }) => setMessage(target.value)}
      />
      <Checkbox
        label="Close these days for new bookings"
        hint="Nobody can book these days until you reopen them under Availability."
        checked={closesDays}
        onChange={setClosesDays}
      />
      <Checkbox
        label="Offer these days to the waiting list"
        hint={
          closesDays
            ? 'Closed days have no times to offer. Open offers for these days will be withdrawn.'
            : 'If not, open offers for these days will be withdrawn.'
        }
        checked={forWaitingList}
        disabled={closesDays}
        onChange={setIsWantedForWaitingList}
      />
      {isRange && chosen.length > 0 && (
        <BulkChangePreviewSection effect={effect} kind={kind} refund={refund} onRefund={setRefund} />
      )}
      {chosen.length === 0 && <p role="status">Choose at least one calendar.</p>}
      {consequences.length > 0 && (
        <p id={whyId} className="text-sm text-ink-soft">
          {consequences.join(' ')}
        </p>
      )}
      {error !== null && (
        <Notice tone="danger" role="alert">
          {toProblem(error).message}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant={kind === 'cancel' ? 'danger' : 'primary'}
          disabled={!canChange}
          aria-describedby={consequences.length > 0 ? whyId : undefined}
          pending={isPending}
          pendingLabel="Starting..."
        >
          {submitLabel(kind, count)}
        </Button>
      </div>
    </form>
  )
}

/** Returns the problem with the chosen dates; null if they are valid. Source: rule A21. */
function findRangeProblem(from: string, to: string): string | null {
  if (!isDate(from) || !isDate(to)) return 'Please choose both days.'
  if (to < from) return 'The last day can’t be before the first day.'
  const days = toDayNumber(to) - toDayNumber(from) + 1
  return days > BULK_CHANGE_LIMITS.days ? `Please choose at most ${BULK_CHANGE_LIMITS.days} days.` : null
}

/** Lists further effects of the change, one sentence per effect. Source: rules A23 and A24. */
function listConsequences(kind: BulkChangeKind, closesDays: boolean): string[] {
  const sentences: string[] = []
  if (!closesDays) sentences.push('Other customers can still book these days.')
  if (kind === 'offer') {
    sentences.push(
      'Appointments keep their time until the customer chooses another day. New times aren’t reserved.',
    )
  }
  return sentences
}

function submitLabel(kind: BulkChangeKind, count: number): string {
  if (count === 0) return kind === 'cancel' ? 'Cancel appointments' : 'Offer other times'
  const what = count === 1 ? '1 appointment' : `${count} appointments`
  return kind === 'cancel' ? `Cancel ${what}` : `Offer other times for ${what}`
}
