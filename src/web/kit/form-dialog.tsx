import { type FormEventHandler, type ReactNode, useId } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type FormButtonsProps = {
  /** The id of the form; the buttons are outside its element. */
  formId: string
  onCancel: () => void
  variant?: 'primary' | 'danger'
  disabled?: boolean
  pending: boolean
  pendingLabel: string
  submitLabel: string
}

type FormDialogProps = Omit<FormButtonsProps, 'formId' | 'onCancel'> & {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  onSubmit: FormEventHandler<HTMLFormElement>
  /** The fields. */
  children: ReactNode
}

/** A form in a dialog, with buttons to cancel and to submit it. */
export function FormDialog(props: FormDialogProps) {
  const { open, onOpenChange, title, description, onSubmit, children, ...buttons } = props
  const formId = useId()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      footer={<FormButtons formId={formId} onCancel={() => onOpenChange(false)} {...buttons} />}
    >
      <form id={formId} noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
        {children}
      </form>
    </Dialog>
  )
}

/** The footer of a dialog with a form. */
export function FormButtons({
  formId,
  onCancel,
  variant = 'primary',
  submitLabel,
  ...state
}: FormButtonsProps) {
  return (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" form={formId} variant={variant} {...state}>
        {submitLabel}
      </Button>
    </>
  )
}
