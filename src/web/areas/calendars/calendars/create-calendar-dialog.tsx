import { useId, useState } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { FormButtons } from '#web/kit/form-buttons.tsx'
import { formatHour } from '#web/shared/format-clock.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { forgetCalendarDraft } from './calendar-draft.ts'
import { CalendarFields } from './calendar-fields.tsx'
import { useCreateCalendar } from './use-create-calendar.ts'

const LIMIT_REACHED = PROBLEMS['calendar.limit_reached'].title

type CreateCalendarDialogProps = {
  owner: Owner
  open: boolean
  onOpenChange: (open: boolean) => void
  /** There is a calendar already, so the dialog asks whose time the new one takes. Source: rule T38. */
  isFurther: boolean
  /**
   * The plan allows no further calendar. The dialog says so instead of showing a form; the server decides.
   * Source: rule S3.
   */
  limitReached: boolean
}

/**
 * Creates a calendar. Typed text survives a failed request and a dialog that was closed by accident. Source: rule C1.
 */
export function CreateCalendarDialog({
  owner,
  open,
  onOpenChange,
  isFurther,
  limitReached,
}: CreateCalendarDialogProps) {
  const formId = useId()
  const close = (next: boolean) => {
    forgetCalendarDraft(owner.id)
    onOpenChange(next)
  }
  const [asksPerson, setAsksPerson] = useState(isFurther)
  if (open && asksPerson !== isFurther) setAsksPerson(isFurther)
  const { form, create, slugEdited, setSlugEdited } = useCreateCalendar(owner.id, {
    asksPerson,
    onCreated: () => close(false),
  })
  const { errors, isSubmitting } = form.formState
  const refusal = errors.root?.message
  // It stays as it was while it closes: the new calendar may be the last one allowed.
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
    <Dialog
      open={open}
      onOpenChange={close}
      title="Create Calendar"
      description={`Its booking page opens ${formatDayOfWeek(1)} to ${formatDayOfWeek(5)}, ${formatHour(9)} to ${formatHour(17)}.`}
      footer={
        <FormButtons
          formId={formId}
          onCancel={() => close(false)}
          pending={isSubmitting}
          pendingLabel="Creating..."
        >
          Create Calendar
        </FormButtons>
      }
    >
      <form id={formId} noValidate onSubmit={create} className="flex flex-col gap-5">
        {refusal !== undefined && <Refusal sentence={refusal} />}
        <CalendarFields
          form={form}
          owner={owner}
          asksPerson={asksPerson}
          slugEdited={slugEdited}
          onSlugEdited={setSlugEdited}
        />
      </form>
    </Dialog>
  )
}

/** Why there is no calendar. When the plan is the reason, also the way to another plan. */
function Refusal({ sentence }: { sentence: string }) {
  if (sentence !== LIMIT_REACHED) return <Notice tone="danger">{sentence}</Notice>
  const upgrade = (
    <ButtonLink size="sm" href={paths.pricing()}>
      Upgrade Plan
    </ButtonLink>
  )
  return (
    <Notice tone="warning" action={upgrade}>
      {sentence}
    </Notice>
  )
}
