import { Button } from '#web/ui/button.tsx'
import { DayArc } from '#web/ui/day-arc.tsx'

type PageMessageProps = { title: string; hint?: string | undefined; onRetry?: (() => void) | undefined }

/** The whole page is one message, so its title is the heading. */
export function PageMessage({ title, hint, onRetry }: PageMessageProps) {
  return (
    <section className="flex flex-col items-center gap-3 py-16 text-center">
      <DayArc at={null} className="h-20" />
      <h1 className="text-3xl text-balance sm:text-4xl">{title}</h1>
      {hint !== undefined && <p className="text-ink-soft text-balance">{hint}</p>}
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </section>
  )
}
