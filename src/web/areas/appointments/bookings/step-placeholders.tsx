import { Skeleton } from '#web/ui/skeleton.tsx'

/** The placeholder of the time zone line, with its final height. */
export function ZonePlaceholder() {
  return <Skeleton className="h-6 w-60 max-w-full" />
}

/** The placeholder of the month, with its final height. Only the browser knows the date and the first day of the week. */
export function MonthPlaceholder() {
  return (
    <>
      <div className="mb-2 h-11">
        {/* Only the server renders this text. During hydration React leaves the content of `noscript` alone. */}
        <noscript>
          {import.meta.env.SSR && 'Choosing a time needs JavaScript, which is switched off in this browser.'}
        </noscript>
      </div>
      <Skeleton className="month-height" />
    </>
  )
}
