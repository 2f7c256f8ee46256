import { type ReactNode, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { paths } from '#web/shared/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Copy } from '#web/ui/icons/copy.ts'
import { ExternalLink } from '#web/ui/icons/external-link.ts'
import { Settings } from '#web/ui/icons/settings.ts'
import { Trash } from '#web/ui/icons/trash.ts'
import { removeUrlScheme } from './booking-page-card.tsx'
import { DeleteCalendarDialog } from './delete-calendar-dialog.tsx'
import { DuplicateCalendarButton } from './duplicate-calendar-dialog.tsx'

type CalendarCardProps = {
  calendar: Calendar
  /** True when the calendar takes no new bookings because the plan allows fewer calendars. Source: rule S13. */
  isPaused?: boolean
  /** Additional buttons. */
  actions?: ReactNode
}

/** Shows one calendar on the dashboard, with its actions. Source: rule W5. */
export function CalendarCard({ calendar, isPaused = false, actions }: CalendarCardProps) {
  const [deleting, setDeleting] = useState(false)
  return (
    <article
      aria-label={calendar.name}
      className="flex min-w-0 overflow-hidden rounded-card border border-line bg-surface shadow-card"
    >
      <div
        aria-hidden="true"
        className="w-1.5 shrink-0 dark:brightness-140"
        style={{ backgroundColor: calendar.color }}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-3 p-5">
        <div className="flex items-start justify-between gap-2">
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h3 className="min-w-0 text-lg font-semibold break-words">{calendar.name}</h3>
              {isPaused && <Badge tone="warning">Paused</Badge>}
              {!calendar.takes_bookings && <Badge tone="warning">Not taking bookings</Badge>}
              {calendar.category && (
                <Badge>
                  <span className="truncate max-[17rem]:whitespace-normal">{calendar.category}</span>
                </Badge>
              )}
            </div>
          </div>
          <button
            type="button"
            aria-label="Delete Calendar"
            title="Delete Calendar"
            onClick={() => setDeleting(true)}
            className="-mt-2 grid size-9 touch:size-11 shrink-0 place-items-center rounded-control text-ink-soft hover:bg-danger-soft hover:text-danger"
          >
            <Trash aria-hidden="true" className="size-5" />
          </button>
        </div>
        {calendar.description && (
          <p className="-mt-2 line-clamp-2 text-ink-soft break-words">{calendar.description}</p>
        )}
        <div className="mt-auto flex items-center gap-1 rounded-control bg-sunken ps-3">
          {/* The link is not truncated, because the links of one practice differ at their ends. */}
          <span className="min-w-0 flex-1 py-2 text-sm wrap-anywhere text-ink-soft">
            {removeUrlScheme(calendar.public_url)}
          </span>
          <CopyButton
            text={calendar.public_url}
            label={`Copy booking link of ${calendar.name}`}
            done="Copied to clipboard!"
          />
        </div>
        <div className="flex flex-wrap gap-2 *:grow sm:*:grow-0">
          <ButtonLink size="sm" href={paths.calendarSettings(calendar.id)}>
            <Settings aria-hidden="true" className="size-4" />
            Manage
          </ButtonLink>
          <ButtonLink size="sm" href={calendar.public_url} target="_blank" rel="noopener">
            <ExternalLink aria-hidden="true" className="size-4" />
            View Booking Page
          </ButtonLink>
          <DuplicateCalendarButton calendar={calendar} size="sm">
            <Copy aria-hidden="true" className="size-4" />
            Duplicate
          </DuplicateCalendarButton>
          {actions}
        </div>
      </div>
      <DeleteCalendarDialog calendar={calendar} open={deleting} onOpenChange={setDeleting} />
    </article>
  )
}
