import { type FormEventHandler, type ReactNode, useId } from 'react'
import { FormButtons } from '#web/kit/form-buttons.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type AccountDialogProps = {
  title: string
  description: string
  submit: string
  open: boolean
  onOpenChange: (open: boolean) => void
  onSubmit: FormEventHandler<HTMLFormElement>
  pending: boolean
  /** Why it could not be connected, when the reason concerns no single field. */
  problem: string | undefined
  /** The fields. */
  children: ReactNode
}

/** A form that connects an account, in a dialog. */
export function AccountDialog(props: AccountDialogProps) {
  const { title, description, submit, open, onOpenChange, onSubmit, pending, problem, children } = props
  const formId = useId()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      footer={
        <FormButtons
          formId={formId}
          onCancel={() => onOpenChange(false)}
          pending={pending}
          pendingLabel="Connecting..."
        >
          {submit}
        </FormButtons>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
        <FormProblem message={problem} />
        {children}
      </form>
    </Dialog>
  )
}
