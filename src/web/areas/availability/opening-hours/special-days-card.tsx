import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { SpecialDaysEntry } from '#contract/availability/special-days.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LoadError } from '#web/kit/load-error.tsx'
import { LoadingShape } from '#web/kit/loading-shape.tsx'
import { useEditedRecord } from '#web/kit/use-edited-record.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { SpecialDaysPlaceholder } from './availability-placeholders.tsx'
import { specialDaysQuery } from './availability-queries.ts'
import { SPECIAL_DAYS_HEAD } from './card-heads.ts'
import { SpecialDaysDialog } from './special-days-dialog.tsx'
import { SpecialDaysItem } from './special-days-item.tsx'
import { findSpecialDaysDraft } from './use-save-special-days.ts'

/** Days that are closed or have other hours than their weekday. Source: rule T34. */
export function SpecialDaysCard({ calendar }: { calendar: Calendar }) {
  const { data: entries, error, refetch } = useQuery(specialDaysQuery(calendar.id))
  const dialog = useEditedRecord<SpecialDaysEntry>(() => findSpecialDaysDraft(calendar.id))
  const { edit } = dialog
  const addButton = useRef<HTMLButtonElement>(null)
  return (
    <Card
      {...SPECIAL_DAYS_HEAD}
      actions={
        <Button ref={addButton} onClick={() => edit(null)}>
          <Plus aria-hidden="true" className="size-5" />
          Add days
        </Button>
      }
    >
      {entries === undefined && error === null && (
        <LoadingShape text="Loading special days...">
          <SpecialDaysPlaceholder />
        </LoadingShape>
      )}
      {entries === undefined && error !== null && (
        <LoadError
          error={error}
          title="Failed to load special days"
          hint={error.message}
          onRetry={() => refetch()}
        />
      )}
      {entries?.length === 0 && (
        <p className="text-ink-soft">None are coming: the weekly hours count on every day.</p>
      )}
      {entries !== undefined && entries.length > 0 && (
        <ul aria-label={SPECIAL_DAYS_HEAD.title} className="flex flex-col gap-3">
          {entries.map((entry) => (
            <li key={entry.id}>
              <SpecialDaysItem
                calendar={calendar}
                entry={entry}
                onEdit={() => edit(entry)}
                onRemoved={() => addButton.current?.focus()}
              />
            </li>
          ))}
        </ul>
      )}
      <SpecialDaysDialog
        key={dialog.key}
        calendar={calendar}
        entry={dialog.record}
        open={dialog.open}
        onOpenChange={dialog.setOpen}
      />
    </Card>
  )
}
