import { useRef, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ChangeRow } from './change-row.tsx'
import { CHANGE_REASONS, followWords, type PendingChange } from './change-words.ts'
import { useDecide } from './use-decide.ts'

type ChangesCardProps = { calendar: Calendar; changes: readonly PendingChange[] }

/** Changes there that nothing followed by itself: the owner decides, on each or on all. Source: rule G13. */
export function ChangesCard({ calendar, changes }: ChangesCardProps) {
  const card = useRef<HTMLElement>(null)
  // The text stays while the dialog closes.
  const [asked, setAsked] = useState<readonly PendingChange[]>(changes)
  const [asking, setAsking] = useState(false)
  const { decide, deciding } = useDecide(calendar.id, () => setAsking(false))
  const ask = (about: readonly PendingChange[]) => {
    setAsked(about)
    setAsking(true)
  }
  const keep = (about: readonly PendingChange[]) => decide({ changes: about, decision: 'keep' })
  const isKeeping = (about: readonly PendingChange[]) =>
    deciding?.decision === 'keep' && deciding.changes.length === about.length
  const reasons = [...new Set(changes.map(({ reason }) => reason))]
  const { title, description, confirm, pending } = followWords(asked)
  return (
    <Card
      ref={card}
      title="Please decide"
      description={reasons.map((reason) => CHANGE_REASONS[reason]).join(' ')}
      className="border-warning"
    >
      <ul className="divide-y divide-line border-y border-line" aria-label="Changes to decide on">
        {changes.map((change) => (
          <li key={change.id}>
            <ChangeRow
              change={change}
              timeZone={calendar.timezone}
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
            {followWords(changes).all}
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
