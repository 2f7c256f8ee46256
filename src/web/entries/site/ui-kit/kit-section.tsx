import type { ReactNode } from 'react'

/** Shows one group of components under a heading. */
export function UiKitSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-5 border-t border-line pt-6">
      <h2 className="text-2xl">{title}</h2>
      {children}
    </section>
  )
}
