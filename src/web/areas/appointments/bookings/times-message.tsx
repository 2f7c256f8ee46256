import type { ReactNode } from 'react'

/** A message shown in place of the times. */
export function TimesMessage({ children }: { children: ReactNode }) {
  return (
    <p className="flex min-h-24 items-center justify-center gap-2 rounded-control bg-sunken p-4 text-center text-ink-soft">
      {children}
    </p>
  )
}
