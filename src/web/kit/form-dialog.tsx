import { type FormEventHandler, type ReactNode, useId } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type FormButtonsProps = {
  /** The id of the form, which the submit button needs because it is outside the form element. */
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
  /** The fields of the form. */
  children: ReactNode
  /** Shown beside the fields on wide screens, otherwise below them. */
  aside?: ReactNode
}

/** A dialog with a form and buttons to cancel and submit it. */
export function FormDialog(props: FormDialogProps) {
  const { open, onOpenChange, title, description, onSubmit, children, aside, ...buttons } = props
  const formId = useId()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      isWide={aside !== undefined}
      footer={<FormButtons formId={formId} onCancel={() => onOpenChange(false)} {...buttons} />}
    >
      <div className={aside === undefined ? undefined : 'grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]'}>
        <form id={formId} noValidate onSubmit={onSubmit} className="flex min-w-0 flex-col gap-5">
          {children}
        </form>
        {aside !== undefined && <div className="min-w-0 lg:sticky lg:top-0 lg:self-start">{aside}</div>}
      </div>
    </Dialog>
  )
}

/** The footer of a form dialog, with its cancel and submit buttons. */
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
