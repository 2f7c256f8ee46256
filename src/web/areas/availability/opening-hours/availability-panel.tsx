import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { SLOT_SETTING_NAMES } from '#contract/slots/slot-settings.ts'
import { availabilityQuery } from '#web/kit/availability-query.ts'
import {
  ButtonPlaceholder,
  FieldPlaceholder,
  LinePlaceholder,
  LoadingPlaceholder,
  RepeatedPlaceholder,
} from '#web/kit/loading-shape.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { HolidaysCard } from './holidays-card.tsx'
import { SLOT_SETTINGS_HEADING, SlotSettingsCard } from './slot-settings-card.tsx'
import { SpecialDaysCard } from './special-days-card.tsx'
import { WEEKDAYS_FROM_MONDAY } from './week.ts'
import { WeekPreviewCard, type WeekPreviewCardProps } from './week-preview-card.tsx'
import { WeeklyScheduleCard, weeklyScheduleHeading } from './weekly-schedule-card.tsx'

/** The Availability tab: slot settings, weekly hours, special days, public holidays and a preview. */
export function AvailabilityPanel({ calendar, renderTimeQuestion }: Omit<WeekPreviewCardProps, 'week'>) {
  const { data: week, error, refetch } = useQuery(availabilityQuery(calendar.id))
  // Render the preview after the first paint, because it is below the first screen and slow to render.
  const isPreviewDue = useDeferredValue(week !== undefined, false)
  if (week === undefined && error !== null) {
    return (
      <Card>
        <ErrorState
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
        <Card {...SLOT_SETTINGS_HEADING}>
          <LoadingPlaceholder text="Loading availability...">
            <SlotSettingsPlaceholder />
          </LoadingPlaceholder>
        </Card>
        <Card {...weeklyScheduleHeading(calendar.timezone)} actions={<ButtonPlaceholder className="w-42" />}>
          <WeekPlaceholder />
        </Card>
        <SpecialDaysCard calendar={calendar} />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <SlotSettingsCard calendarId={calendar.id} timeZone={calendar.timezone} week={week} />
      <WeeklyScheduleCard calendar={calendar} week={week} />
      <SpecialDaysCard calendar={calendar} />
      <HolidaysCard calendar={calendar} />
      {isPreviewDue && <WeekPreviewCard {...{ calendar, week, renderTimeQuestion }} />}
    </div>
  )
}

/** The placeholder of the slot settings. */
function SlotSettingsPlaceholder() {
  return (
    <div className="flex flex-col gap-5">
      {/* At most screen widths, one row of hints takes two lines. */}
      <div className="grid items-start gap-5 pb-5 sm:grid-cols-2 @4xl:grid-cols-4">
        <RepeatedPlaceholder count={SLOT_SETTING_NAMES.length}>
          <FieldPlaceholder hint />
        </RepeatedPlaceholder>
      </div>
      <ButtonPlaceholder className="w-40" />
    </div>
  )
}

/** The placeholder of the weekly schedule. */
function WeekPlaceholder() {
  return (
    <>
      <div className="hidden h-6 @2xl:block" />
      <div className="border-t border-line">
        {WEEKDAYS_FROM_MONDAY.map((day) => (
          <div
            key={day}
            className="grid grid-cols-[1fr_auto] items-center gap-x-5 gap-y-1 border-b border-line @max-2xl:py-2 @2xl:min-h-14 @2xl:grid-cols-[6.5rem_minmax(6rem,1fr)_minmax(13.5rem,2fr)_5.5rem]"
          >
            <LinePlaceholder className="w-24" />
            <div className="flex h-7 items-center @max-2xl:order-3 @max-2xl:col-span-2">
              <Skeleton className="h-5 w-full rounded-full!" />
            </div>
            <div className="@max-2xl:order-4 @max-2xl:col-span-2 @max-2xl:pt-1 @max-2xl:pb-1 @2xl:py-1.5">
              <Skeleton className="h-11.5 w-44" />
            </div>
            <div className="h-11 @max-2xl:order-2" />
          </div>
        ))}
      </div>
      <Skeleton className="mt-5 h-80 sm:h-54 @4xl:h-26" />
    </>
  )
}
