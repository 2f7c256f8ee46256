import { useQuery } from '@tanstack/react-query'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { TimeButtons } from '#web/shared/slot-buttons.tsx'
import { labelSlots } from '#web/shared/slot-groups.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { firstTimesQuery, type TimesQuestion } from './times-queries.ts'

type FirstTimesProps = { question: TimesQuestion; onSelect: (startsAt: string) => void }

/** The first free times, so that no day needs to be chosen. What is below stays where it is. Source: rule T33. */
export function FirstTimes({ question, onSelect }: FirstTimesProps) {
  const { data, isPending } = useQuery(firstTimesQuery(question))
  if (isPending) return <FirstTimesPlaceholder />
  return (
    <div className="grid min-h-40 content-start gap-4">
      {data?.map(({ date, slots }, index) => (
        <fieldset key={date}>
          <legend className="mb-2 text-sm leading-5 font-semibold text-ink-soft">
            {index === 0 && 'Next: '}
            {formatDateHeading(date)}
          </legend>
          <TimeButtons
            slots={labelSlots(slots, question.shownZone)}
            columns="grid-cols-3"
            selected={null}
            onSelect={onSelect}
          />
        </fieldset>
      ))}
      {data?.length === 0 && <p className="text-ink-soft">Nothing is free in the next two months.</p>}
    </div>
  )
}

/** As high as two days are. */
export function FirstTimesPlaceholder() {
  return <Skeleton className="h-40" />
}
