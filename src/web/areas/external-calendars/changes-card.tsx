import { useRef, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import {
  CHANGE_REASON_SENTENCES,
  describeApplyingChanges,
  describeChanged,
  formatTimeSpan,
  type PendingExternalChange,
} from './change-words.ts'
import { useDecideChanges } from './use-decide.ts'

type ChangesCardProps = { calendar: Calendar; changes: readonly PendingExternalChange[] }

/** Lets the owner apply or reject changes made in the external calendar, one by one or all at once. Source: rule G13. */
export function ExternalChangesCard({ calendar, changes }: ChangesCardProps) {
  const card = useRef<HTMLElement>(null)
  // The changes that the dialog is about. Not cleared on closing, so that the text stays during the closing animation.
  const [asked, setAsked] = useState<readonly PendingExternalChange[]>(changes)
  const [asking, setAsking] = useState(false)
  const { decide, deciding } = useDecideChanges(calendar.id, () => setAsking(false))
  const ask = (about: readonly PendingExternalChange[]) => {
    setAsked(about)
    setAsking(true)
  }
  const keep = (about: readonly PendingExternalChange[]) => decide({ changes: about, decision: 'keep' })
  const isKeeping = (about: readonly PendingExternalChange[]) =>
    deciding?.decision === 'keep' && deciding.changes.length === about.length
  const reasons = [...new Set(changes.map(({ reason }) => reason))]
  const { title, description, confirm, pending } = describeApplyingChanges(asked)
  return (
    <Card
      ref={card}
      title="Please review"
      description={reasons.map((reason) => CHANGE_REASON_SENTENCES[reason]).join(' ')}
      className="border-warning"
    >
      <ul className="divide-y divide-line border-y border-line" aria-label="Changes to review">
        {changes.map((change) => (
          <li key={change.id}>
            <ChangeRow
              change={change}
              calendar={calendar}
              isKeeping={deciding?.decision === 'keep' && deciding.changes[0]?.id === change.id}
              onFollow={() => ask([change])}
              onKeep={() => keep([change])}
            />
          </li>
        ))}
      </ul>
      {changes.length > 1 && (
        <div className="mt-5 flex flex-wrap gap-3">
          <Button variant="danger" onClick={() => ask(changes)}>
            {describeApplyingChanges(changes).all}
          </Button>
          <Button pending={isKeeping(changes)} pendingLabel="Keeping..." onClick={() => keep(changes)}>
            Keep them
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={title}
        description={description}
        confirmLabel={confirm}
        pendingLabel={pending}
        cancelLabel="Back"
        pending={deciding?.decision === 'follow'}
        onConfirm={() => decide({ changes: asked, decision: 'follow' })}
        tone="danger"
        focusAfter={() => card.current?.querySelector('button') ?? null}
      />
    </Card>
  )
}

type ChangeRowProps = {
  change: PendingExternalChange
  calendar: Calendar
  isKeeping: boolean
  onFollow: () => void
  onKeep: () => void
}

/** An appointment, and how its event was changed in the external calendar. */
function ChangeRow({ change, calendar, isKeeping, onFollow, onKeep }: ChangeRowProps) {
  const { title, kind, appointment_starts_at, appointment_ends_at, starts_at, ends_at } = change
  const when = formatTimeSpan(appointment_starts_at, appointment_ends_at, calendar)
  const name = describeChanged(change)
  const { one } = describeApplyingChanges([change])
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold wrap-anywhere">{name}</span>
          <Badge tone="warning">{kind === 'deleted' ? 'Deleted there' : 'Moved there'}</Badge>
        </p>
        <p className="wrap-anywhere text-ink-soft">{title}</p>
        <p className="text-sm text-ink-soft">
          {when}
          {starts_at !== null && ends_at !== null && (
            <>
              {' '}
              → <span className="font-medium text-ink">{formatTimeSpan(starts_at, ends_at, calendar)}</span>
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" aria-label={`${one}: ${name}, ${when}`} onClick={onFollow}>
          {one}
        </Button>
        <Button
          size="sm"
          aria-label={isKeeping ? undefined : `Keep it: ${name}, ${when}`}
          pending={isKeeping}
          pendingLabel="Keeping..."
          onClick={onKeep}
        >
          Keep it
        </Button>
      </div>
    </div>
  )
}
