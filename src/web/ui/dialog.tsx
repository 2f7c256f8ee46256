import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'
import { classNames } from './class-names.ts'
import {
  BACKDROP_CLASS,
  DIALOG_ACTIONS_CLASS,
  DIALOG_CLASS,
  DIALOG_VIEWPORT_CLASS,
} from './dialog-classes.ts'
import { X } from './icons/x.ts'
import { useDismissToastOnOpen } from './use-dismiss-toast-on-open.ts'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children: ReactNode
  /** The buttons, the main one last. The footer stays visible while the body scrolls. */
  footer?: ReactNode
  /** False when closing by accident would lose data: only the caller's buttons then close the dialog. */
  dismissible?: boolean | undefined
  /** True for a dialog that has two columns on wide screens. */
  isWide?: boolean | undefined
}

/** A modal dialog. It focuses its first field when it opens, and restores the focus when it closes. */
export function Dialog({ open, onOpenChange, dismissible = true, ...content }: DialogProps) {
  useDismissToastOnOpen(open)
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next, details) => {
        // A click on a toast must not close the dialog.
        const target = details.event.target
        const onToast = target instanceof Element && target.closest('[data-toaster]') !== null
        if (onToast || !dismissible) return details.cancel()
        onOpenChange(next)
      }}
    >
      <BaseDialog.Portal>
        <DialogWindow dismissible={dismissible} {...content} />
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

/** A separate component, so that a closed dialog renders nothing. */
function DialogWindow({
  title,
  description,
  children,
  footer,
  dismissible,
  isWide,
}: Omit<DialogProps, 'open' | 'onOpenChange'>) {
  const body = useRef<HTMLDivElement>(null)
  return (
    <>
      <BaseDialog.Backdrop className={BACKDROP_CLASS} />
      <BaseDialog.Viewport className={DIALOG_VIEWPORT_CLASS}>
        <BaseDialog.Popup
          // With large text on a phone, title and buttons scroll with the fields, which would have no room between them.
          className={classNames(DIALOG_CLASS, 'max-[17rem]:overflow-y-auto', isWide && 'lg:max-w-4xl')}
          initialFocus={(openedBy) =>
            // After a touch, focus the popup itself: a focused field would open the on-screen keyboard.
            openedBy === 'touch' || (body.current?.querySelector<HTMLElement>(FIRST_FIELD) ?? true)
          }
        >
          <div className="flex items-start justify-between gap-4 border-b border-line px-5 py-4 not-has-[p]:items-center sm:px-6">
            <div className="min-w-0">
              <BaseDialog.Title className="text-xl font-semibold">{title}</BaseDialog.Title>
              {description !== undefined && (
                <BaseDialog.Description className="mt-1 text-sm text-ink-soft">
                  {description}
                </BaseDialog.Description>
              )}
            </div>
            {dismissible && (
              <BaseDialog.Close
                aria-label="Close"
                className="-me-2 -mt-1 grid size-11 shrink-0 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
              >
                <X aria-hidden="true" className="size-5" />
              </BaseDialog.Close>
            )}
          </div>
          {/* Scroll padding keeps a focused field's label above and error below visible. */}
          <div
            ref={body}
            className="min-h-0 flex-1 scroll-pt-14 scroll-pb-28 overflow-y-auto px-5 py-5 max-[17rem]:flex-none sm:px-6"
          >
            {children}
          </div>
          {footer && (
            <div className={classNames(DIALOG_ACTIONS_CLASS, 'border-t border-line px-5 py-4 sm:px-6')}>
              {footer}
            </div>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Viewport>
    </>
  )
}

const FIRST_FIELD = 'input:not([type=hidden]):not(:disabled), textarea:not(:disabled), select:not(:disabled)'
