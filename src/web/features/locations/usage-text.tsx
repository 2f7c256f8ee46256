import type { UseQueryResult } from '@tanstack/react-query'
import type { LocationUse } from '#contract/locations.ts'

type UsageTextProps = {
  usage: Pick<UseQueryResult<LocationUse[]>, 'data' | 'isError' | 'isFetching'>
  sentences: (uses: LocationUse[]) => readonly string[]
}

/** What will happen, in numbers. Made of spans, because it stands inside the paragraph of a dialog. */
export function UsageText({ usage, sentences }: UsageTextProps) {
  // Numbers of the last time are not shown: what is booked changes.
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
