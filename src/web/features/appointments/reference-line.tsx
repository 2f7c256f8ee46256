import { CopyButton } from '#web/app/kit/copy-button.tsx'

type ReferenceLineProps = { term: string; reference: string; done: string }

/** A number that people pass on, with a button to copy it. */
export function ReferenceLine({ term, reference, done }: ReferenceLineProps) {
  return (
    <div className="flex min-w-0 items-center gap-1 text-sm">
      <span className="text-ink-soft">{term}</span>
      <code className="min-w-0 break-all">{reference}</code>
      <CopyButton text={reference} label={`Copy ${term.toLowerCase()} ${reference}`} done={done} />
    </div>
  )
}
