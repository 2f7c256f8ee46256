import { useEffect, useRef } from 'react'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { focusAndScrollTo } from '#web/shared/focus-and-scroll-to.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from '#web/ui/notice.tsx'
import type { ConcurrentChange } from './use-shown-record.ts'

type ConcurrentChangeNoticeProps = {
  overtaken: ConcurrentChange
  takeStored: () => void
  /** The labels of the fields, by field name. */
  labels: Readonly<Record<string, string>>
  className?: string | undefined
}

/**
 * Warns that somebody else has saved the record, and shows the differences. Saving again overwrites the other change, so the
 * notice scrolls into view and takes the focus after each concurrent change. Source: rule X4.
 */
export function ConcurrentChangeNotice({
  overtaken,
  takeStored,
  labels,
  className,
}: ConcurrentChangeNoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each concurrent change focuses the notice again
  useEffect(() => focusAndScrollTo(notice.current), [overtaken])
  return (
    <div ref={notice} tabIndex={-1} className={classNames('scroll-mt-4 rounded-control', className)}>
      <Notice
        tone="warning"
        role="alert"
        title={PROBLEMS['request.changed_meanwhile'].title}
        action={
          <Button size="sm" onClick={takeStored}>
            Use the saved version
          </Button>
        }
      >
        {overtaken.differing.length > 0 && (
          <dl className="mt-1 grid gap-1">
            {overtaken.differing.map((field) => (
              <div key={field}>
                <dt className="inline font-semibold">{labels[field] ?? field}: </dt>
                <dd className="inline break-words whitespace-pre-line">{inWords(overtaken.stored[field])}</dd>
              </div>
            ))}
          </dl>
        )}
      </Notice>
    </div>
  )
}

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  return String(value ?? '') || 'Not set'
}
