import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from '#web/ui/notice.tsx'
import { ConcurrentChangeNotice } from './concurrent-change-notice.tsx'
import { FormProblem } from './form-problem.tsx'
import type { ConcurrentChange } from './use-shown-record.ts'

type FormNoticesProps = {
  /** The result of `useRecordForm`. */
  record: {
    form: { formState: { errors: { root?: { message?: string | undefined } | undefined } } }
    overtaken: ConcurrentChange | null
    takeStored: () => void
    discardRestored: (() => void) | undefined
  }
  /** The labels of the fields, by field name. */
  labels: Readonly<Record<string, string>>
  className?: string
}

/** Shows a record form's notices: restored unsaved edits, an error, or a concurrent change and its differences. */
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
        <ConcurrentChangeNotice
          overtaken={overtaken}
          takeStored={takeStored}
          labels={labels}
          className={className}
        />
      )}
    </>
  )
}
