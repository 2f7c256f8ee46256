import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Calendar } from '#contract/calendars.ts'
import { MANY_CHANGE_LIMITS, type ManyChangeKind } from '#contract/many-change-limits.ts'
import * as at from '#contract/operations/addresses.ts'
import { isDate } from '#core/shared/zoned-time.ts'
import { forgetTimes } from '#web/kit/own-times.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { EffectPart } from './effect-part.tsx'
import { manyChangeEffectQuery } from './many-change-queries.ts'
import { ProgressPart } from './progress-part.tsx'

type ManyChangeDialogProps = { calendar: Calendar; open: boolean; onOpenChange: (open: boolean) => void }

/**
 * For an owner who is ill on Tuesday: shows what a change of whole days means, makes it, and shows how far it is. Source: rule A21.
 */
export function ManyChangeDialog({ calendar, open, onOpenChange }: ManyChangeDialogProps) {
  const [changeId, setChangeId] = useState<string | null>(null)
  const close = () => {
    onOpenChange(false)
    setChangeId(null)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title="Change whole days"
      description="For days on which you cannot come: cancel all appointments, or offer other times."
    >
      {changeId === null ? (
        <ManyChangeForm calendar={calendar} onBegun={setChangeId} onClose={close} />
      ) : (
        <ProgressPart calendarId={calendar.id} changeId={changeId} onClose={close} />
      )}
    </Dialog>
  )
}

type ManyChangeFormProps = { calendar: Calendar; onBegun: (changeId: string) => void; onClose: () => void }

function ManyChangeForm({ calendar, onBegun, onClose }: ManyChangeFormProps) {
  const today = localDateOf(new Date().toISOString(), calendar.timezone)
  const [from, setFrom] = useState(today)
  const [to, setTo] = useState(today)
  const [kind, setKind] = useState<ManyChangeKind>('cancel')
  const [refund, setRefund] = useState<'all' | 'policy'>('all')
  const [message, setMessage] = useState('')
  // A request that is sent twice is one change.
  const [id] = useState(() => crypto.randomUUID())
  const whyId = useId()
  const effect = useQuery(manyChangeEffectQuery(calendar.id, { from, to }))
  const appointments = effect.data?.appointments ?? []
  const { mutate, isPending, error } = useChange(calendar.id, onBegun)
  const isRange = isDate(from) && isDate(to) && from <= to
  const canChange = appointments.length > 0 && !effect.isFetching && isRange
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (canChange) mutate({ id, kind, from, to, message, refund, expected: appointments.length })
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
          error={isRange ? undefined : 'The last day must not be before the first day.'}
          onChange={({ target }) => setTo(target.value)}
        />
      </div>
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
        hint="The email to each customer includes it."
        maxLength={MANY_CHANGE_LIMITS.message}
        value={message}
        onChange={({ target }) => setMessage(target.value)}
      />
      {isRange && <EffectPart effect={effect} kind={kind} refund={refund} onRefund={setRefund} />}
      <p id={whyId} className="text-sm text-ink-soft">
        {kind === 'cancel'
          ? 'These days stay open for bookings. Close your hours first if nobody should book these times again.'
          : 'An appointment keeps its time until its customer chooses another. Nothing is held for them.'}
      </p>
      {error !== null && (
        <Notice tone="danger" role="alert">
          {toProblem(error).message}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Change nothing</Button>
        <Button
          type="submit"
          variant={kind === 'cancel' ? 'danger' : 'primary'}
          disabled={!canChange}
          aria-describedby={whyId}
          pending={isPending}
          pendingLabel="Starting..."
        >
          {submitLabel(kind, appointments.length)}
        </Button>
      </div>
    </form>
  )
}

function submitLabel(kind: ManyChangeKind, count: number): string {
  const what = count === 1 ? '1 appointment' : `${count} appointments`
  return kind === 'cancel' ? `Cancel ${what}` : `Offer other times for ${what}`
}

type WantedChange = {
  id: string
  kind: ManyChangeKind
  from: string
  to: string
  message: string
  refund: 'all' | 'policy'
  expected: number
}

function useChange(calendarId: string, onBegun: (changeId: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: WantedChange) => callApi(at.createManyChange, { params: { id: calendarId }, body }),
    onSuccess: ({ id }) => onBegun(id),
    // Also after a refusal: the appointments are not those that were on the screen.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: [OWNER_KEY, 'appointments'] }),
        client.invalidateQueries({ queryKey: [OWNER_KEY, 'upcoming-appointments'] }),
        forgetTimes(client, calendarId),
      ]),
  })
}
