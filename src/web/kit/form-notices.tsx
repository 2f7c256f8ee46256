import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from '#web/ui/notice.tsx'
import { FormProblem } from './form-problem.tsx'
import { OvertakenNotice } from './overtaken-notice.tsx'
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
        <OvertakenNotice
          overtaken={overtaken}
          takeStored={takeStored}
          labels={labels}
          className={className}
        />
      )}
    </>
  )
}
