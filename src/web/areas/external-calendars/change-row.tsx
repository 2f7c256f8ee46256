import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { followWords, type PendingChange, whenText } from './change-words.ts'

type ChangeRowProps = {
  change: PendingChange
  timeZone: string
  isKeeping: boolean
  onFollow: () => void
  onKeep: () => void
}

/** An appointment as it is here, and what became of its event there. */
export function ChangeRow({ change, timeZone, isKeeping, onFollow, onKeep }: ChangeRowProps) {
  const { customer_name, title, kind, appointment_starts_at, appointment_ends_at, starts_at, ends_at } =
    change
  const when = whenText(appointment_starts_at, appointment_ends_at, timeZone)
  const name = customer_name || 'Unknown'
  const { one } = followWords([change])
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
              → <span className="font-medium text-ink">{whenText(starts_at, ends_at, timeZone)}</span>
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
