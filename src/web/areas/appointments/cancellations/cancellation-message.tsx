import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { DayArc } from '#web/ui/day-arc.tsx'

type CancellationMessageProps = { title: string; hint: string; onRetry?: (() => void) | undefined }

/** There is no appointment to show, and why. */
export function CancellationMessage({ title, hint, onRetry }: CancellationMessageProps) {
  return (
    <section className="flex flex-col items-center gap-3 py-16 text-center">
      <DayArc at={null} className="h-20" />
      <h1 className="text-3xl sm:text-4xl">{title}</h1>
      <p className="text-ink-soft text-balance">{hint}</p>
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
      {onRetry === undefined && <ButtonLink href={paths.home()}>Go Home</ButtonLink>}
    </section>
  )
}
