import { useState } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { browserHourCycle } from '#web/kit/browser-hour-cycle.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { formatHour } from '#web/shared/format-clock.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { CalendarFields } from './calendar-fields.tsx'
import { CreateCalendarError, LIMIT_REACHED } from './create-calendar-error.tsx'
import { deleteCalendarDraft, useCreateCalendar } from './use-create-calendar.ts'

type CreateCalendarDialogProps = {
  owner: Owner
  open: boolean
  onOpenChange: (open: boolean) => void
  /** True when the owner already has calendars. The dialog then asks whose time the new one uses. Source: rule T38. */
  isFurther: boolean
  /**
   * True when the plan allows no additional calendar. The dialog then shows a notice instead of the form, but the server decides.
   * Source: rule S3.
   */
  limitReached: boolean
}

/** Lets the owner create a calendar. Typed text survives failed requests and closing the dialog by accident. Source: rule C1. */
export function CreateCalendarDialog({
  owner,
  open,
  onOpenChange,
  isFurther,
  limitReached,
}: CreateCalendarDialogProps) {
  const close = (next: boolean) => {
    deleteCalendarDraft(owner.id)
    onOpenChange(next)
  }
  const [asksPerson, setAsksPerson] = useState(isFurther)
  if (open && asksPerson !== isFurther) setAsksPerson(isFurther)
  const { form, create, slugEdited, setSlugEdited } = useCreateCalendar(owner.id, {
    asksPerson,
    onCreated: () => close(false),
  })
  const { errors, isSubmitting } = form.formState
  const hourCycle = browserHourCycle()
  const refusal = errors.root?.message
  // Keeps its value while the dialog closes, because the calendar just created may be the last one allowed.
  const [isBarred, setIsBarred] = useState(limitReached)
  if (open && isBarred !== limitReached) setIsBarred(limitReached)

  if (isBarred) {
    return (
      <Dialog
        open={open}
        onOpenChange={close}
        title="Create Calendar"
        footer={
          <>
            <Button onClick={() => close(false)}>Cancel</Button>
            <ButtonLink variant="primary" href={paths.pricing()}>
              Upgrade Plan
            </ButtonLink>
          </>
        }
      >
        <Notice tone="warning">{LIMIT_REACHED}</Notice>
      </Dialog>
    )
  }
  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      title="Create Calendar"
      description={`Its booking page opens ${formatDayOfWeek(1)} to ${formatDayOfWeek(5)}, ${formatHour(9, hourCycle)} to ${formatHour(17, hourCycle)}.`}
      pending={isSubmitting}
      pendingLabel="Creating..."
      submitLabel="Create Calendar"
      onSubmit={create}
    >
      {refusal !== undefined && <CreateCalendarError sentence={refusal} />}
      <CalendarFields
        form={form}
        owner={owner}
        asksPerson={asksPerson}
        slugEdited={slugEdited}
        onSlugEdited={setSlugEdited}
      />
    </FormDialog>
  )
}
