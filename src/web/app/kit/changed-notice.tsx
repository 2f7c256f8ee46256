import { Notice } from '#web/ui/notice.tsx'

export type MeanwhileChange = { readonly label: string; readonly value: string }

type ChangedNoticeProps = { sentence: string; changes: readonly MeanwhileChange[] }

/** Another window changed what this form edits: says what is there now. What was typed stays in the form. */
export function ChangedNotice({ sentence, changes }: ChangedNoticeProps) {
  return (
    <Notice tone="warning" role="alert">
      <p>{sentence}</p>
      {changes.length > 0 && (
        <ul className="mt-2 list-disc ps-5">
          {changes.map(({ label, value }) => (
            <li key={label} className="break-words">
              {label} is now: <strong className="font-semibold">{value}</strong>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
