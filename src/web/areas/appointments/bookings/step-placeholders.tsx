import { Skeleton } from '#web/ui/skeleton.tsx'

/** The loading placeholder for the time zone line, with the line's final height. */
export function ZonePlaceholder() {
  return <Skeleton className="h-6 w-60 max-w-full" />
}

/** The placeholder for the days, with their final height. Only the browser knows the date and the first day of the week. */
export function DaysPlaceholder() {
  return (
    <>
      <div className="mb-2 h-11">
        {/* Only the server renders this text. During hydration, React does not touch the content of `noscript`. */}
        <noscript>{import.meta.env.SSR && 'Please turn on JavaScript to choose a time.'}</noscript>
      </div>
      <Skeleton className="weeks-height" />
    </>
  )
}
