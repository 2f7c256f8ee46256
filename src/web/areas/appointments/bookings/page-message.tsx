import type { ReactNode } from 'react'
import { SunPathPicture } from '#web/ui/day-arc.tsx'

type PageMessageProps = { title: string; hint?: string | undefined; children?: ReactNode }

/** A page that contains only a message, with buttons below it. */
export function PageMessage({ title, hint, children }: PageMessageProps) {
  return (
    <section className="flex flex-col items-center gap-3 py-16 text-center">
      <SunPathPicture at={null} className="h-20" />
      <h1 className="text-3xl sm:text-4xl">{title}</h1>
      {hint !== undefined && <p className="text-ink-soft text-balance">{hint}</p>}
      {children}
    </section>
  )
}
