import { CopyButton } from '#web/kit/copy-button.tsx'

type ReferenceNumberProps = { term: string; reference: string; done: string }

/** Shows a reference number after its term, with a button to copy it. */
export function ReferenceNumber(props: ReferenceNumberProps) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-sm">
      <span className="text-ink-soft">{props.term}</span>
      <CopyReference {...props} />
    </div>
  )
}

/** Shows a reference number with a button to copy it. The button's name contains the term. */
export function CopyReference({ term, reference, done }: ReferenceNumberProps) {
  return (
    <span className="flex min-w-0 items-center text-sm">
      <code className="min-w-0 break-all">{reference}</code>
      <span className="-my-1.5 inline-flex touch:-my-2.5">
        <CopyButton text={reference} label={`Copy ${term.toLowerCase()} ${reference}`} done={done} />
      </span>
    </span>
  )
}
