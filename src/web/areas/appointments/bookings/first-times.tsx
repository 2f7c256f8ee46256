import { useQuery } from '@tanstack/react-query'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { TimeButtons } from '#web/shared/slot-buttons.tsx'
import { labelSlots } from '#web/shared/slot-groups.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type AvailableTimesRequest, firstAvailableTimesQuery } from './times-queries.ts'

type FirstTimesProps = { request: AvailableTimesRequest; onSelect: (startsAt: string) => void }

/**
 * Shows the next free times, so that customers need not choose a day. The height is reserved, so that the content below
 * does not move when the times load. Source: rule T33.
 */
export function FirstAvailableTimes({ request, onSelect }: FirstTimesProps) {
  const { data, isPending } = useQuery(firstAvailableTimesQuery(request))
  if (isPending) return <FirstAvailableTimesPlaceholder />
  return (
    <div className="grid min-h-40 content-start gap-4">
      {data?.map(({ date, slots }, index) => (
        <fieldset key={date}>
          <legend className="mb-2 text-sm leading-5 font-semibold text-ink-soft">
            {index === 0 && 'Next: '}
            {formatDateHeading(date)}
          </legend>
          <TimeButtons
            slots={labelSlots(slots, request.shownZone, request.hourCycle)}
            columns="grid-cols-3"
            selected={null}
            onSelect={onSelect}
          />
        </fieldset>
      ))}
      {data?.length === 0 && <p className="text-ink-soft">No times in the next two months.</p>}
    </div>
  )
}

/** The loading placeholder, with the height of the times of two days. */
export function FirstAvailableTimesPlaceholder() {
  return <Skeleton className="h-40" />
}
