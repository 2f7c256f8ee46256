import type { MailSamplesResponse } from '#contract/mailbox.ts'

type Sample = MailSamplesResponse['samples'][number]

const GROUPS = [
  { group: 'customer', label: 'To the customer' },
  { group: 'waiting', label: 'Waiting list' },
  { group: 'owner', label: 'To the owner' },
  { group: 'account', label: 'About an account' },
  { group: 'operator', label: 'To the operator' },
] as const satisfies readonly { group: Sample['group']; label: string }[]

type SampleListProps = { samples: readonly Sample[]; selectedId: string; onSelect: (id: string) => void }

/** The messages of the gallery, by whom they go to. */
export function SampleList({ samples, selectedId, onSelect }: SampleListProps) {
  return (
    <div className="flex flex-col gap-5">
      {GROUPS.map(({ group, label }) => (
        <section key={group} aria-labelledby={`samples-${group}`}>
          <h2 id={`samples-${group}`} className="mb-2 text-base font-semibold">
            {label}
          </h2>
          <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
            {samples
              .filter((sample) => sample.group === group)
              .map(({ id, title }) => (
                <li key={id}>
                  <button
                    type="button"
                    aria-current={id === selectedId ? 'true' : undefined}
                    onClick={() => onSelect(id)}
                    className="block min-h-11 w-full border-s-4 border-transparent px-4 py-2 text-start -outline-offset-2 hover:bg-sunken aria-[current]:border-noon aria-[current]:bg-sunken"
                  >
                    {title}
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
