import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { availabilityQuery } from '#web/kit/availability-query.ts'
import { LoadError } from '#web/kit/load-error.tsx'
import { LoadingShape } from '#web/kit/loading-shape.tsx'
import { Card } from '#web/ui/card.tsx'
import { SlotSettingsPlaceholder, WeekPlaceholder } from './availability-placeholders.tsx'
import { SLOT_SETTINGS_HEAD, scheduleHead } from './card-heads.ts'
import { SlotSettingsCard } from './slot-settings-card.tsx'
import { SpecialDaysCard } from './special-days-card.tsx'
import { WeekPreviewCard } from './week-preview-card.tsx'
import { WeeklyScheduleCard } from './weekly-schedule-card.tsx'

/** When customers can book: the slot settings, the week, the days that differ from it, and the times that follow. */
export function AvailabilityPanel({ calendar }: { calendar: Calendar }) {
  const { data: week, error, refetch } = useQuery(availabilityQuery(calendar.id))
  // It is below the first screen and as much work as the rest, so it comes after the first paint.
  const isPreviewDue = useDeferredValue(week !== undefined, false)
  if (week === undefined && error !== null) {
    return (
      <Card>
        <LoadError
          error={error}
          title="Failed to load availability settings"
          hint={error.message}
          onRetry={() => refetch()}
        />
      </Card>
    )
  }
  if (week === undefined) {
    return (
      <div className="flex flex-col gap-6">
        <Card {...SLOT_SETTINGS_HEAD}>
          <LoadingShape text="Loading availability...">
            <SlotSettingsPlaceholder />
          </LoadingShape>
        </Card>
        <Card {...scheduleHead(calendar.timezone)}>
          <WeekPlaceholder />
        </Card>
        <SpecialDaysCard calendar={calendar} />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <SlotSettingsCard calendarId={calendar.id} week={week} />
      <WeeklyScheduleCard calendar={calendar} week={week} />
      <SpecialDaysCard calendar={calendar} />
      {isPreviewDue && <WeekPreviewCard calendar={calendar} week={week} />}
    </div>
  )
}
