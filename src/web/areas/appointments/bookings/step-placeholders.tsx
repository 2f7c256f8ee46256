import { Skeleton } from '#web/ui/skeleton.tsx'

/** The line that says whose clock is shown, as high as it will be. */
export function ZonePlaceholder() {
  return <Skeleton className="h-6 w-60 max-w-full" />
}

/** The month as high as it will be: what day it is, and on which day a week begins, only the visitor's browser knows. */
export function MonthPlaceholder() {
  return (
    <>
      <div className="mb-2 h-11">
        {/* Only the server writes this text. Where scripts run, React leaves the content of `noscript` as it came. */}
        <noscript>
          {import.meta.env.SSR && 'Choosing a time needs JavaScript, which is switched off in this browser.'}
        </noscript>
      </div>
      <Skeleton className="month-height" />
    </>
  )
}
