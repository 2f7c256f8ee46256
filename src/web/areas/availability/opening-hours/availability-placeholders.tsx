import { SLOT_SETTING_NAMES } from '#contract/slots/slot-settings.ts'
import { ButtonShape, FieldShape, LineShape, Repeated, SmallButtonShape } from '#web/kit/loading-shape.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { WEEK } from './week.ts'

/** The settings beside each other, or below each other on phones, and their button. */
export function SlotSettingsPlaceholder() {
  return (
    <div className="flex flex-col gap-5">
      {/* At most widths one of the hints, or one row of them, is two lines. */}
      <div className="grid items-start gap-5 pb-5 sm:grid-cols-2 lg:grid-cols-4">
        <Repeated count={SLOT_SETTING_NAMES.length}>
          <FieldShape hint />
        </Repeated>
      </div>
      <ButtonShape className="w-40" />
    </div>
  )
}

/** Each day of the week with its sky and one range, and the form for more. */
export function WeekPlaceholder() {
  return (
    <>
      <div className="hidden h-6 md:block" />
      <div className="border-t border-line">
        {WEEK.map((day) => (
          <div
            key={day}
            className="grid grid-cols-[1fr_auto] items-center gap-x-5 gap-y-1 border-b border-line max-md:py-2 md:min-h-14 md:grid-cols-[6.5rem_minmax(6rem,1fr)_minmax(13.5rem,2fr)_5.5rem]"
          >
            <LineShape className="w-24" />
            <div className="flex h-7 items-center max-md:order-3 max-md:col-span-2">
              <Skeleton className="h-5 w-full rounded-full!" />
            </div>
            <div className="max-md:order-4 max-md:col-span-2 max-md:pt-1 max-md:pb-1 md:py-1.5">
              <Skeleton className="h-11.5 w-44" />
            </div>
            <div className="h-11 max-md:order-2" />
          </div>
        ))}
      </div>
      <Skeleton className="mt-5 h-80 sm:h-54 lg:h-26" />
    </>
  )
}

/** Two entries with their buttons. */
export function SpecialDaysPlaceholder() {
  return (
    <div className="flex flex-col gap-3">
      <Repeated count={2}>
        <div className="flex items-start justify-between gap-3 rounded-control border border-line p-4">
          <div className="min-w-0">
            <LineShape className="w-56" />
            <LineShape className="w-40" />
          </div>
          <SmallButtonShape className="w-20" />
        </div>
      </Repeated>
    </div>
  )
}

/** The hours of seven days: a timetable, on phones one day below the other. */
export function PreviewPlaceholder() {
  return (
    <>
      <div className="divide-y divide-line md:hidden">
        <Repeated count={WEEK.length}>
          <div className="py-3">
            <LineShape className="w-28" />
            <LineShape className="w-full" />
            <LineShape className="w-3/4" />
          </div>
        </Repeated>
      </div>
      <div className="hidden md:block">
        <div className="ms-13 grid h-19 grid-cols-7">
          <Repeated count={WEEK.length}>
            <div className="grid justify-items-center border-s border-line pb-2">
              <LineShape className="w-10" />
              <LineShape size="sm" className="w-12" />
            </div>
          </Repeated>
        </div>
        <Repeated count={OPEN_HOURS}>
          <div className="h-7 border-t border-line">
            <LineShape size="sm" className="w-10" />
          </div>
        </Repeated>
      </div>
      <LineShape size="sm" className="w-72" />
    </>
  )
}

/** From nine to five. */
const OPEN_HOURS = 8
