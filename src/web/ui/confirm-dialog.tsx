import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'
import { Button, buttonClass } from './button.tsx'
import { classNames } from './class-names.ts'
import {
  BACKDROP_CLASS,
  DIALOG_ACTIONS_CLASS,
  DIALOG_CLASS,
  DIALOG_VIEWPORT_CLASS,
} from './dialog-classes.ts'
import { useDismissToastOnOpen } from './use-dismiss-toast-on-open.ts'

type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: ReactNode
  /** Options that the user chooses before confirming. */
  children?: ReactNode
  confirmLabel: string
  /** The label of the confirm button while `pending`. */
  pendingLabel?: string | undefined
  /** The label of the cancel button, if "Cancel" would be ambiguous. */
  cancelLabel?: string | undefined
  pending?: boolean | undefined
  onConfirm: () => void
  tone?: 'danger' | undefined
  /** Returns the element to focus after closing, or null for the element that had the focus before. */
  focusAfter?: (() => HTMLElement | null) | undefined
}

/** Asks the user for confirmation. The dialog stays open while `pending`; the caller closes it. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  confirmLabel,
  pendingLabel,
  cancelLabel = 'Cancel',
  pending = false,
  onConfirm,
  tone,
  focusAfter = () => null,
}: ConfirmDialogProps) {
  useDismissToastOnOpen(open)
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !pending && onOpenChange(next)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={BACKDROP_CLASS} />
        <AlertDialog.Viewport className={DIALOG_VIEWPORT_CLASS}>
          <AlertDialog.Popup
            className={classNames(DIALOG_CLASS, 'overflow-y-auto overscroll-contain p-5 sm:p-6')}
            finalFocus={focusAfter}
          >
            <AlertDialog.Title className="text-xl font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-ink-soft">{description}</AlertDialog.Description>
            {children && <div className="mt-5">{children}</div>}
            <div className={classNames(DIALOG_ACTIONS_CLASS, 'mt-6')}>
              <AlertDialog.Close className={buttonClass({})}>{cancelLabel}</AlertDialog.Close>
              <Button
                variant={tone === 'danger' ? 'danger' : 'primary'}
                pending={pending}
                pendingLabel={pendingLabel}
                onClick={onConfirm}
              >
                {confirmLabel}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
