import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** A message shown in place of the times. */
export function TimesMessage({ children }: { children: ReactNode }) {
  return (
    <p className="flex min-h-24 items-center justify-center gap-2 rounded-control bg-sunken p-4 text-center text-ink-soft">
      {children}
    </p>
  )
}

/** Shown while the times load. */
export function LoadingTimes() {
  return (
    <TimesMessage>
      <Spinner /> Loading available times...
    </TimesMessage>
  )
}

type RetryNoticeProps = { title?: string; children: string; isFetching: boolean; refetch: () => unknown }

/** Shown when something could not be loaded, with a button that tries again. */
export function RetryNotice({ title, children, isFetching, refetch }: RetryNoticeProps) {
  return (
    <Notice
      tone="danger"
      role="alert"
      title={title}
      action={
        <Button size="sm" pending={isFetching} onClick={() => refetch()}>
          Try again
        </Button>
      }
    >
      {children}
    </Notice>
  )
}
