import { useQuery } from '@tanstack/react-query'
import { Fragment, useRef } from 'react'
import type { SpecialDaysEntry } from '#contract/availability/special-days.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DeleteButton, EditButton } from '#web/kit/item-buttons.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, RepeatedPlaceholder, SmallButtonPlaceholder } from '#web/kit/loading-shape.tsx'
import { useEditDialog } from '#web/kit/use-edited-record.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { specialDaysQuery } from './availability-queries.ts'
import { RemainingAppointments } from './remaining-appointments.tsx'
import { formatDaysAsParts, formatHoursAsParts } from './special-days.ts'
import { SpecialDaysDialog } from './special-days-dialog.tsx'
import { useRemoveOnceWithUndo, useRemoveSpecialDays } from './use-hours-changes.ts'
import { findSpecialDaysDraft } from './use-special-days-form.ts'

const SPECIAL_DAYS_HEAD = {
  title: 'Days off and special hours',
  description: 'Close single days, or give them different hours. Your weekly hours resume afterwards.',
} as const

/** Lists days that are closed or have special hours, and lets the owner change them. Source: rule T34. */
export function SpecialDaysCard({ calendar }: { calendar: Calendar }) {
  const query = useQuery(specialDaysQuery(calendar.id))
  const { data: entries } = query
  const dialog = useEditDialog<SpecialDaysEntry>(() => findSpecialDaysDraft(calendar.id))
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
      <LoadStatus query={query} loading="Loading special days..." failed="Failed to load special days">
        <SpecialDaysPlaceholder />
      </LoadStatus>
      {entries?.length === 0 && <p className="text-ink-soft">No days off planned.</p>}
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

type SpecialDaysItemProps = {
  calendar: Pick<Calendar, 'id' | 'timezone' | 'hour_cycle'>
  entry: SpecialDaysEntry
  onEdit: () => void
  onRemoved: () => void
}

/** Shows consecutive special days with their hours and the number of appointments on them. The toast offers to undo a removal. */
function SpecialDaysItem({ calendar, entry, onEdit, onRemoved }: SpecialDaysItemProps) {
  const { mutate, isPending } = useRemoveSpecialDays(calendar.id)
  const dayParts = formatDaysAsParts(entry)
  const days = dayParts.join(' ')
  const remove = useRemoveOnceWithUndo((outcome) => mutate(entry, outcome), onRemoved)
  return (
    <article aria-label={days} className="min-w-0 rounded-control border border-line bg-surface p-4">
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 font-sans text-base font-semibold tracking-normal">
          <Unbroken parts={dayParts} />
        </h3>
        <div className="-me-2 -mt-2 flex shrink-0 gap-1">
          <EditButton name={days} onPress={onEdit} />
          <DeleteButton label={`Remove ${days}`} isPending={isPending} onPress={remove} />
        </div>
      </div>
      <p className="tabular-nums">
        <Unbroken parts={formatHoursAsParts(entry.hours, calendar.hour_cycle)} />
      </p>
      {entry.note !== null && (
        <p dir="auto" className="text-ink-soft wrap-anywhere">
          {entry.note}
        </p>
      )}
      {entry.public_note !== null && (
        <p className="text-ink-soft wrap-anywhere">
          Note to customers: <bdi>{entry.public_note}</bdi>
        </p>
      )}
      <RemainingAppointments calendar={calendar} days={entry} />
    </article>
  )
}

/** Renders texts that wrap only between the parts. */
function Unbroken({ parts }: { parts: readonly string[] }) {
  return parts.map((part, index) => (
    <Fragment key={part}>
      {index > 0 && ' '}
      <span className="whitespace-nowrap">{part}</span>
    </Fragment>
  ))
}

/** The placeholder of two `SpecialDaysItem`s. */
function SpecialDaysPlaceholder() {
  return (
    <div className="flex flex-col gap-3">
      <RepeatedPlaceholder count={2}>
        <div className="flex items-start justify-between gap-3 rounded-control border border-line p-4">
          <div className="min-w-0">
            <LinePlaceholder className="w-56" />
            <LinePlaceholder className="w-40" />
          </div>
          <SmallButtonPlaceholder className="w-20" />
        </div>
      </RepeatedPlaceholder>
    </div>
  )
}
