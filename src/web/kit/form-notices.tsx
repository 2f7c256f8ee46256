import { PROBLEMS } from '#contract/problem.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from '#web/ui/notice.tsx'
import { FormProblem } from './form-problem.tsx'
import type { Overtaken } from './use-shown-record.ts'

type FormNoticesProps = {
  /** What `useRecordForm` returns, whatever the record is. */
  record: {
    form: { formState: { errors: { root?: { message?: string | undefined } | undefined } } }
    overtaken: Overtaken | null
    takeStored: () => void
    discardRestored: (() => void) | undefined
  }
  /** The names of the fields on the screen. */
  labels: Readonly<Record<string, string>>
  className?: string
}

/**
 * The notices of a form about a record: unsaved edits from before, a failure, or a change in another window, with what
 * changed.
 */
export function FormNotices({ record, labels, className }: FormNoticesProps) {
  const { form, overtaken, takeStored, discardRestored } = record
  return (
    <>
      {discardRestored !== undefined && (
        <Notice
          role="status"
          className={classNames('items-center!', className)}
          title="You have unsaved changes"
          action={
            <Button size="sm" onClick={discardRestored}>
              Discard
            </Button>
          }
        />
      )}
      <FormProblem message={form.formState.errors.root?.message} className={className} />
      {overtaken !== null && (
        <Notice
          tone="warning"
          role="alert"
          className={className}
          title={PROBLEMS['request.changed_meanwhile'].title}
          action={
            <Button size="sm" onClick={takeStored}>
              Take what is there
            </Button>
          }
        >
          {overtaken.differing.length > 0 && (
            <dl className="mt-1 grid gap-1">
              {overtaken.differing.map((field) => (
                <div key={field}>
                  <dt className="inline font-semibold">{labels[field] ?? field}: </dt>
                  <dd className="inline break-words whitespace-pre-line">
                    {inWords(overtaken.stored[field])}
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </Notice>
      )}
    </>
  )
}

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  return String(value ?? '') || 'Not set'
}
