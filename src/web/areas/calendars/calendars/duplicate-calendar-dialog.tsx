import { type ComponentProps, useEffect, useId, useRef } from 'react'
import { Controller } from 'react-hook-form'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { ColorField } from '#web/kit/color-field.tsx'
import { FormButtons } from '#web/kit/form-dialog.tsx'
import { useEditDialog } from '#web/kit/use-edited-record.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { CreateCalendarError } from './create-calendar-error.tsx'
import { useDuplicateCalendar } from './use-duplicate-calendar.ts'

type DuplicateCalendarButtonProps = Pick<ComponentProps<typeof Button>, 'size' | 'children'> & {
  calendar: Calendar
}

/** The button that opens the dialog for copying a calendar. Each opening begins a new copy. */
export function DuplicateCalendarButton({ calendar, ...button }: DuplicateCalendarButtonProps) {
  const { edit, key, open, setOpen } = useEditDialog<Calendar>(() => undefined)
  return (
    <>
      <Button {...button} onClick={() => edit(calendar)} />
      <DuplicateCalendarDialog key={key} calendar={calendar} open={open} onOpenChange={setOpen} />
    </>
  )
}

type DuplicateCalendarDialogProps = {
  calendar: Calendar
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Lets the owner copy a calendar, and then leads to the settings of the copy. Source: rule C16. */
function DuplicateCalendarDialog({ calendar, open, onOpenChange }: DuplicateCalendarDialogProps) {
  const { form, duplicate, copy } = useDuplicateCalendar(calendar)
  const formId = useId()
  const close = () => onOpenChange(false)
  const { isSubmitting } = form.formState
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={copy === null ? 'Duplicate calendar' : 'Calendar duplicated'}
      description={`“${calendar.name}” won’t change.`}
      footer={
        copy === null ? (
          <FormButtons
            formId={formId}
            onCancel={close}
            pending={isSubmitting}
            pendingLabel="Duplicating..."
            submitLabel="Duplicate calendar"
          />
        ) : (
          <CopyButtons copy={copy} onClose={close} />
        )
      }
    >
      {copy === null ? (
        <form id={formId} noValidate onSubmit={duplicate} className="flex flex-col gap-5">
          <CopyFields form={form} />
        </form>
      ) : (
        <p role="status" className="break-words">
          “{copy.name}” is ready. It won’t take bookings until you turn them on.
        </p>
      )}
    </Dialog>
  )
}

function CopyFields({ form }: Pick<ReturnType<typeof useDuplicateCalendar>, 'form'>) {
  const { register, control, formState } = form
  const { errors } = formState
  return (
    <>
      {errors.root?.message !== undefined && <CreateCalendarError sentence={errors.root.message} />}
      <TextField
        label="Name"
        required
        autoComplete="off"
        maxLength={LIMITS.calendarName}
        error={errors.name?.message}
        {...register('name')}
      />
      <Controller
        control={control}
        name="color"
        render={({ field, fieldState }) => (
          <ColorField
            label="Colour"
            value={field.value ?? ''}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
      <div className="flex flex-col gap-2 text-ink-soft">
        <p>
          <strong className="text-ink">Copied:</strong> appointment types, opening hours, upcoming days off,
          policies, texts, reminders, your locations and branding.
        </p>
        <p>
          <strong className="text-ink">Not copied:</strong> appointments, customers, the waiting list, payment
          accounts, domains, and locations that other owners share with you.
        </p>
      </div>
      <Notice>The copy won’t take bookings until you turn them on.</Notice>
    </>
  )
}

function CopyButtons({ copy, onClose }: { copy: Calendar; onClose: () => void }) {
  const link = useRef<HTMLAnchorElement>(null)
  // Focus the link, because the pressed button no longer exists.
  useEffect(() => link.current?.focus(), [])
  return (
    <>
      <Button onClick={onClose}>Close</Button>
      <ButtonLink ref={link} variant="primary" href={paths.calendarSettings(copy.id)} onClick={onClose}>
        Open the copy
      </ButtonLink>
    </>
  )
}
