import { type FormEventHandler, type ReactNode, useId } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'

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
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={pending}
            pendingLabel="Connecting..."
          >
            {submit}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
        {problem !== undefined && (
          <Notice tone="danger" role="alert">
            {problem}
          </Notice>
        )}
        {children}
      </form>
    </Dialog>
  )
}
