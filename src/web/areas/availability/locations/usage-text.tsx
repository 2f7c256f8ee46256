import type { UseQueryResult } from '@tanstack/react-query'
import type { LocationUse } from '#contract/availability/locations.ts'

type UsageTextProps = {
  usage: Pick<UseQueryResult<LocationUse[]>, 'data' | 'isError' | 'isFetching'>
  sentences: (uses: LocationUse[]) => readonly string[]
}

/** What will happen, in numbers. It is made of spans, because it is inside the paragraph of a dialog. */
export function UsageText({ usage, sentences }: UsageTextProps) {
  // Old numbers are not shown, because bookings change.
  if (usage.data === undefined || usage.isFetching) {
    return (
      <span className="block">
        {usage.isError && !usage.isFetching
          ? 'What is booked there could not be counted.'
          : 'Counting what is booked there...'}
      </span>
    )
  }
  return sentences(usage.data).map((sentence) => (
    <span key={sentence} className="block">
      {sentence}
    </span>
  ))
}
