import type { ReactNode } from 'react'

type Fact = { term: string; text: ReactNode; note?: string }

/** Terms and their descriptions, beside each other where there is room. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="mt-4 divide-y divide-line">
      {facts.map(({ term, text, note }) => (
        <div key={term} className="grid gap-x-6 gap-y-1 py-3.5 sm:grid-cols-[15rem_minmax(0,1fr)]">
          <dt className="font-semibold wrap-anywhere">{term}</dt>
          <dd className="text-ink-soft">
            {text}
            {note !== undefined && <span className="mt-1 block text-sm">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
