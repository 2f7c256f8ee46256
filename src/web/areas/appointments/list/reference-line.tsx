import { CopyButton } from '#web/kit/copy-button.tsx'

type ReferenceLineProps = { term: string; reference: string; done: string }

/** Shows a reference number with a button to copy it. */
export function ReferenceNumber({ term, reference, done }: ReferenceLineProps) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-sm">
      <span className="text-ink-soft">{term}</span>
      <span className="flex min-w-0 items-center">
        <code className="min-w-0 break-all">{reference}</code>
        <CopyButton text={reference} label={`Copy ${term.toLowerCase()} ${reference}`} done={done} />
      </span>
    </div>
  )
}
