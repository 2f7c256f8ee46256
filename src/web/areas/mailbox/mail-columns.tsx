import type { ReactNode } from 'react'

type MailColumnsProps = {
  list: ReactNode
  /** On a narrow screen the list and the message are shown one at a time. */
  shows: 'list' | 'message'
  children: ReactNode
}

/** The list beside the message. A long list scrolls by itself, so that a chosen message opens in sight. */
export function MailColumns({ list, shows, children }: MailColumnsProps) {
  const hiddenOnPhones = 'max-md:hidden'
  return (
    <div className="grid min-w-0 items-start gap-4 md:grid-cols-[16rem_minmax(0,1fr)] lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div
        className={`min-w-0 md:sticky md:top-4 md:max-h-[calc(100dvh-2rem)] md:overflow-y-auto ${shows === 'list' ? '' : hiddenOnPhones}`}
      >
        {list}
      </div>
      <div className={`min-w-0 ${shows === 'message' ? '' : hiddenOnPhones}`}>{children}</div>
    </div>
  )
}
