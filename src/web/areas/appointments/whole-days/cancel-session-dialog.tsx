import { useState } from 'react'
import { BULK_CHANGE_LIMITS } from '#contract/appointments/whole-days-limits.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { BulkChangePreviewSection } from './change-preview-part.tsx'
import { BulkChangeProgress } from './progress-part.tsx'
import { type BegunChange, useBulkChange } from './use-bulk-change.ts'
import { useBulkChangePreview } from './use-change-preview.ts'

type CancelledSession = {
  calendarId: string
  calendarName: string
  sessionId: string
  /** The date of its start in the calendar's time zone. */
  date: string
  /** The name of the service. */
  name: string
}

type CancelSessionDialogProps = {
  session: CancelledSession
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Cancels the appointments of everybody in a session, like a change of whole days. Source: rule B60. */
export function CancelSessionDialog({ session, open, onOpenChange }: CancelSessionDialogProps) {
  const [begun, setBegun] = useState<BegunChange | null>(null)
  const close = () => {
    onOpenChange(false)
    setBegun(null)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title="Cancel session"
      description={session.name}
    >
      {begun === null ? (
        <CancelSessionForm session={session} onBegun={setBegun} onClose={close} />
      ) : (
        <BulkChangeProgress {...begun} onClose={close} />
      )}
    </Dialog>
  )
}

type CancelSessionFormProps = {
  session: CancelledSession
  onBegun: (begun: BegunChange) => void
  onClose: () => void
}

function CancelSessionForm({ session, onBegun, onClose }: CancelSessionFormProps) {
  const { calendarId, calendarName, sessionId, date } = session
  const [message, setMessage] = useState('')
  const [refund, setRefund] = useState<'all' | 'policy'>('all')
  // The id of the change, which makes the request idempotent.
  const [id] = useState(() => crypto.randomUUID())
  const range = { from: date, to: date, session_id: sessionId }
  const effect = useBulkChangePreview([{ id: calendarId, name: calendarName }], range, true)
  const { mutate, isPending, error } = useBulkChange(onBegun)
  const canCancel = (effect.appointments?.length ?? 0) > 0 && !effect.isFetching
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (canCancel) mutate({ ...range, id, kind: 'cancel', message, refund, seen: effect.seen })
      }}
    >
      <TextArea
        label="Your message to the customers"
        hint="We’ll include it in each email."
        maxLength={BULK_CHANGE_LIMITS.message}
        value={message}
        onChange={({ target }) => setMessage(target.value)}
      />
      <BulkChangePreviewSection effect={effect} kind="cancel" refund={refund} onRefund={setRefund} />
      <p className="text-sm text-ink-soft">
        Seats that customers are still paying for aren’t cancelled. The time stays open for new bookings.
      </p>
      {error !== null && (
        <Notice tone="danger" role="alert">
          {toProblem(error).message}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Keep session</Button>
        <Button
          type="submit"
          variant="danger"
          disabled={!canCancel}
          pending={isPending}
          pendingLabel="Starting..."
        >
          Cancel session
        </Button>
      </div>
    </form>
  )
}
